#include "paraiso/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/passes/steps/join_steps.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/plan/plan_program.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::plan {
namespace {

TEST(Plan, OneStageWhenNothingIsStored) {
  auto m =
      program("%0 = load f\n%1 = shift %0 (1)\n%2 = shift %0 (-1)\n%3 = add %1 %2\nstore g %3\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).groups.size(), 1u);
  EXPECT_EQ(only(plan).halo[0].text(), "[-1, N+1)");
  EXPECT_TRUE(only(plan).halo[1].is_core());
}

TEST(Plan, StoresInPlaceWhereOnlyTheCellItselfIsRead) {
  auto m = program("%0 = load f\n%1 = mul %0 %0\nstore f %1\n");
  auto plan = make_plan(m, {});
  EXPECT_TRUE(only(plan).swaps.empty());
  EXPECT_TRUE(plan.spares.empty());
}

TEST(Plan, SwapsWhereANeighbourIsRead) {
  auto m = program("%0 = load f\n%1 = shift %0 (1)\nstore f %1\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).swaps.size(), 1u);
  EXPECT_EQ(plan.spares.at(8), 1);
}

TEST(Plan, ExchangesTwoStatics) {
  auto m = program("%0 = load f\n%1 = load g\nstore f %1\nstore g %0\n");
  auto plan = make_plan(m, {});
  EXPECT_TRUE(only(plan).groups.empty());  // the arrays exchange their names
  EXPECT_EQ(only(plan).swaps.size(), 1u);
  EXPECT_TRUE(plan.spares.empty());
}

/// Leap-frog: the new values replace those before the last, then two names change places.
TEST(Plan, RotatesTimeLevels) {
  auto m = program(
      "%0 = load f\n%1 = load g\n%2 = shift %0 (1)\n%3 = sub %2 %1\nstore g %0\nstore f %3\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).groups.size(), 1u);
  const Stage& stage = only(plan).groups[0].stages[0];
  ASSERT_EQ(stage.outputs.size(), 1u);
  EXPECT_EQ(stage.outputs[0].array.front, om::StaticId(1));
  ASSERT_EQ(only(plan).swaps.size(), 1u);
  EXPECT_TRUE(plan.spares.empty());
}

/// Where a neighbour of the oldest level is read too, three arrays go round.
TEST(Plan, RotatesTimeLevelsThroughASpareArray) {
  auto m = program(
      "%0 = load f\n%1 = load g\n%2 = shift %1 (1)\n%3 = sub %0 %2\nstore g %0\nstore f %3\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).groups.size(), 1u);
  EXPECT_EQ(only(plan).groups[0].stages[0].outputs.size(), 1u);
  EXPECT_EQ(only(plan).swaps.size(), 2u);
  EXPECT_EQ(plan.spares.at(8), 1);
}

TEST(Plan, CopiesAStaticThatStays) {
  auto m = program("%0 = load f\nstore g %0\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).groups.size(), 1u);
  EXPECT_TRUE(only(plan).swaps.empty());
}

TEST(Plan, AStoredValueReadAtANeighbourRunsOneLevelBelowOnAWiderBox) {
  auto m =
      program("%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (-3)\n%3 = add %1 %2\nstore g %3\n");
  auto plan = make_plan(m, with({{"proceed/a.storage", "array"}}));
  ASSERT_EQ(only(plan).groups.size(), 2u);
  EXPECT_EQ(only(plan).groups[0].box.text(), "[0, N+3)");
  EXPECT_EQ(only(plan).groups[1].box.text(), "[0, N)");
}

TEST(Plan, ASumThatFeedsABroadcastEndsItsStage) {
  auto m =
      program("%0 = load f\n%1 = reduce sum %0\n%2 = broadcast %1\n%3 = div %0 %2\nstore f %3\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).groups.size(), 2u);
  EXPECT_EQ(only(plan).groups[0].stages[0].reductions.size(), 1u);
}

TEST(Plan, ASumThatIsOnlyStoredIsFused) {
  auto m = program("%0 = load f\n%1 = mul %0 %0\n%2 = reduce sum %1\nstore s %2\nstore f %1\n");
  EXPECT_EQ(only(make_plan(m, {})).groups.size(), 1u);
}

/// `a`, the exponential of `f`, is read at two cells.
om::Machine exponential(const std::string& word) {
  return program("%0 = load f\n%1 a: local f64" + word +
                 " = exp %0\n%2 = shift %1 (1)\n%3 = add %1 %2\nstore g %3\n");
}

enum class Kept { nowhere, by_a_thread, in_an_array };

Kept where_exponentials_are_kept(const om::Machine& machine, const Schedule& schedule) {
  const Plan plan = make_plan(machine, schedule);
  const auto is_exponential = [&](om::ValueId value) {
    const auto* arith = only(plan).kernel->graph.producer_as<om::Arith>(value);
    return arith && arith->op == om::Op::exp;
  };
  for (const auto& [value, array] : only(plan).arrays)
    if (is_exponential(value)) return Kept::in_an_array;
  for (const Group& group : only(plan).groups)
    for (const Buffer& buffer : group.buffers)
      if (is_exponential(buffer.value)) return Kept::by_a_thread;
  return Kept::nowhere;
}

/// The default one, one that says otherwise, and random ones.
std::vector<Schedule> schedules_against(const om::Machine& machine, const char* storage) {
  std::vector<Schedule> list{default_schedule(machine), with({{"proceed/a.storage", storage}})};
  Rng rng(1);
  for (int i = 0; i < 20; ++i) list.push_back(random_schedule(machine, rng));
  return list;
}

TEST(Plan, KeepsAValueWithoutAnAnnotationAsTheScheduleSays) {
  const auto machine = exponential("");
  const auto kept = [&](const char* storage) {
    return where_exponentials_are_kept(machine, with({{"proceed/a.storage", storage}}));
  };
  EXPECT_EQ(kept("inline"), Kept::nowhere);
  EXPECT_EQ(kept("scratch"), Kept::by_a_thread);
  EXPECT_EQ(kept("array"), Kept::in_an_array);
}

TEST(Plan, KeepsAManifestValueInAnArrayWhateverTheSchedule) {
  const auto machine = exponential(" manifest");
  for (const Schedule& schedule : schedules_against(machine, "inline"))
    EXPECT_EQ(where_exponentials_are_kept(machine, schedule), Kept::in_an_array);
}

/// What is shifted lies there, and has no gene.
TEST(Plan, KeepsWhatAManifestShiftReadsInAnArrayWhateverTheSchedule) {
  const auto machine = program(
      "%0 = load f\n%1 a = exp %0\n%2: local f64 manifest = shift %1 (1)\n%3 = add %1 %2\n"
      "store g %3\n");
  EXPECT_TRUE(std::ranges::none_of(
      genes(machine), [](const Gene& gene) { return gene.name == "proceed/a.storage"; }));
  for (const Schedule& schedule : schedules_against(machine, "inline"))
    EXPECT_EQ(where_exponentials_are_kept(machine, schedule), Kept::in_an_array);
}

/// Fields that change names, and nothing else: no choice changes anything.
TEST(Plan, TheDefaultIsPlainWhereThereIsNoLoop) {
  const auto machine = program("%0 = load f\n%1 = load g\nstore g %0\nstore f %1\n", 2);
  const Schedule schedule = default_schedule(machine);
  EXPECT_TRUE(only(make_plan(machine, schedule)).groups.empty());
  for (const char* gene : {"streaming", "prefetch", "vectors", "grouping"}) {
    const auto table = genes(machine);
    const auto found = std::ranges::find(table, std::string("proceed/") + gene, &Gene::name);
    ASSERT_NE(found, table.end());
    EXPECT_EQ(schedule.choices.at(found->name), found->alleles[0]) << gene;
  }
}

TEST(Plan, KeepsADelayedValueNowhereWhateverTheSchedule) {
  const auto machine = exponential(" delayed");
  for (const Schedule& schedule : schedules_against(machine, "array"))
    EXPECT_EQ(where_exponentials_are_kept(machine, schedule), Kept::nowhere);
}

TEST(Plan, SparesAreSharedByLiveness) {
  auto m = program(
      "%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (1)\n%3 b = mul %2 %2\n%4 = shift %3 (1)\n"
      "%5 c = mul %4 %4\n%6 = shift %5 (1)\n%7 d = mul %6 %6\n%8 = shift %7 (1)\nstore g %8\n");
  auto plan = make_plan(m, with({{"proceed/a.storage", "array"},
                                 {"proceed/b.storage", "array"},
                                 {"proceed/c.storage", "array"},
                                 {"proceed/d.storage", "array"}}));
  EXPECT_EQ(only(plan).groups.size(), 5u);
  EXPECT_EQ(plan.spares.at(8), 2);  // g itself is written in place
}

om::Machine two_steps() {
  return om::parse(
      "paraiso 1\nmachine test dimension 1\nstatic f local f64\n  boundary 0 outflow kernel edge\n"
      "static wall global f64\nboundary_kernel edge\n%0 = load wall\n%1 = broadcast %0\nresult "
      "%1\nend\n"
      "kernel proceed step\n%0 = load f\n%1 = shift %0 (1)\nstore f %1\n%2 = load wall\n"
      "%3 = neg %2\nstore wall %3\n%4 = load f @1\n%5 = shift %4 (-2)\nstore f @1 %5\n"
      "%6 = load wall @1\n%7 = neg %6\nstore wall @1 %7\nend\nend machine\n",
      "two.om");
}

TEST(Plan, AnArrayBetweenStepsIsMadeOnTheCoreAndFilled) {
  const auto machine = two_steps();
  const auto plan = make_plan(machine, {});
  ASSERT_EQ(only(plan).groups.size(), 2u);
  EXPECT_TRUE(only(plan).groups[0].box.is_core());
  ASSERT_EQ(only(plan).fills.size(), 1u);
  const Fill& fill = only(plan).fills[0];
  EXPECT_EQ(fill.width.text(), "[0, N+2)");
  EXPECT_EQ(fill.array, only(plan).groups[0].stages[0].outputs[0].array);
}

/// At entry the wall is what it was; between the steps it has its new value.
TEST(Plan, BoundaryKernelsReadWhatTheStepBeforeStored) {
  const auto machine = two_steps();
  const auto plan = make_plan(machine, {});
  const Fill& fill = only(plan).fills.at(0);
  ASSERT_EQ(fill.scalars.size(), 1u);
  const auto& [id, value] = *fill.scalars.begin();
  EXPECT_EQ(machine.at(id).name, "wall");
  EXPECT_TRUE(machine.kernels[0].graph.producer_as<om::Arith>(value));
  const auto at = [&](auto&& is) {
    return std::ranges::find_if(only(plan).steps, is) - only(plan).steps.begin();
  };
  const auto filled = at([](const PlanStep& step) { return step.fill == 0; });
  EXPECT_LT(at([](const PlanStep& step) { return step.group == 0; }), filled);
  EXPECT_LT(at([&, v = value](const PlanStep& step) { return step.scalar == v; }), filled);
  EXPECT_LT(filled, at([](const PlanStep& step) { return step.group == 1; }));
}

/// Two steps of one field along two axes; both steps read all four neighbours.
om::Machine two_steps_2d(const std::string& along_x, const std::string& along_y,
                         const std::string& more = "") {
  const auto step = [&](const std::string& at, int first) {
    const auto v = [&](int k) { return " %" + std::to_string(first + k); };
    return v(0) + " = load f" + at + "\n" + v(1) + " = shift" + v(0) + " (1, 0)\n" + v(2) +
           " = shift" + v(0) + " (-1, 0)\n" + v(3) + " = shift" + v(0) + " (0, 1)\n" + v(4) +
           " = shift" + v(0) + " (0, -2)\n" + v(5) + " = add" + v(1) + v(2) + "\n" + v(6) +
           " = add" + v(3) + v(4) + "\n" + v(7) + " = add" + v(5) + v(6) + "\n";
  };
  return om::parse("paraiso 1\nmachine test dimension 2\nstatic f local f64\n  boundary 0 " +
                   along_x + "\n  boundary 1 " + along_y +
                   "\nboundary_kernel edge\n%0 = load f\nresult %0\nend\nkernel proceed step\n" +
                   step("", 0) + more + "store f %" + (more.empty() ? "7" : "i") + "\n" +
                   step(" @1", 10) + "store f @1 %17\nend\nend machine\n");
}

const std::map<std::string, std::string> kRollingState = {{"proceed/f.state", "rolling"}};

TEST(Plan, AStateInATileEndsAtTheGridButAlongCyclicAxes) {
  const auto machine = two_steps_2d("cyclic cyclic", "reflect + outflow");
  const auto plan = make_plan(machine, with(kRollingState));
  ASSERT_EQ(only(plan).groups.size(), 1u);
  const Group& group = only(plan).groups[0];
  ASSERT_EQ(group.stages.size(), 2u);
  const Stage& first = group.stages[0];
  EXPECT_EQ(first.reach.lower[0], 1);
  EXPECT_EQ(first.limit.lower[0], 1);  // is computed beyond x
  ASSERT_EQ(first.fills.size(), 1u);
  EXPECT_EQ(first.fills[0].reach.text(), "[-1, N+1) x [-1, N+2)");
  EXPECT_EQ(first.fills[0].width.text(), "[0, N) x [-1, N+2)");
  EXPECT_EQ(only(plan).halo[0].text(), "[-2, N+2) x [-1, N+2)");
}

/// Above the grid the second row repeats the last one, and the sweep reads two rows ahead.
TEST(Plan, RowsWaitForTheSourcesOfThoseBeyondTheGrid) {
  const auto machine = two_steps_2d("cyclic cyclic", "reflect + reflect +");
  const auto plan = make_plan(machine, with(kRollingState));
  const Group& group = only(plan).groups.at(0);
  EXPECT_EQ(group.buffers.at(0).lines[1], 4);
  EXPECT_EQ(group.stages[1].lags[0][1] - group.stages[0].lags[0][1], 2);
}

std::string state_storage(const om::Machine& machine) {
  return repair(machine, with(kRollingState)).choices.at("proceed/f.state");
}

TEST(Repair, WhatATileCantFillLiesInAnArray) {
  EXPECT_EQ(state_storage(two_steps_2d("cyclic cyclic", "outflow fixed 2")), "rolling");
  EXPECT_EQ(state_storage(two_steps_2d("cyclic cyclic", "kernel edge outflow")), "array");
  const std::string index = "%j = load_index 0\n%k = cast %j f64\n%i = add %7 %k\n";
  EXPECT_EQ(state_storage(two_steps_2d("cyclic cyclic", "outflow outflow", index)), "array");
  EXPECT_EQ(state_storage(two_steps_2d("outflow outflow", "cyclic cyclic", index)), "rolling");
}

/// Each product of three neighbours triples the work: 3^12 terms, were nothing stored. `%48` is it.
std::string explosion(const std::string& annotation = {}) {
  std::string body = "%0 = load f\n";
  for (int i = 0; i < 12; ++i) {
    auto v = [&](int k) { return "%" + std::to_string(4 * i + k); };
    std::string far = std::to_string(1 << (i % 9) | i);
    body += v(1) + " = shift " + v(0) + " (" + far + ", 0)\n";
    body += v(2) + " = shift " + v(0) + " (0, " + far + ")\n";
    body += v(3) + annotation + " = mul " + v(1) + " " + v(2) + "\n";
    body += v(4) + annotation + " = mul " + v(3) + " " + v(0) + "\n";
  }
  return body;
}

std::string error_of_plan(const om::Machine& machine) {
  try {
    (void)make_plan(machine, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Repair, BoundsAnExplosionOfRecomputation) {
  auto m = program(explosion() + "store f %48\n", 2);
  auto repaired = repair(m, {});
  int stored = 0;
  for (const auto& [gene, allele] : repaired.choices) stored += allele == "array";
  EXPECT_GE(stored, 1);
  auto plan = make_plan(m, {});
  for (const auto& group : only(plan).groups)
    EXPECT_LE(group.stages[0].expansion.terms.size(), kLargestExpansion);
  EXPECT_EQ(repair(m, repaired), repaired);
}

TEST(Repair, TellsOfAnExplosionThatMayNotBeStored) {
  EXPECT_EQ(error_of_plan(program(explosion(": delayed") + "store f %48\n", 2)),
            "<text>:10: error: kernel `proceed` needs more than 50000 operations a cell, and "
            "`delayed` annotations forbid to store any of them");
}

TEST(Plan, TellsOfAnExplosionInABoundaryKernel) {
  const std::string text =
      "paraiso 1\nmachine test dimension 2\nstatic f local f64\n"
      "  boundary 0 outflow kernel inflow\n  boundary 1 outflow outflow\n"
      "boundary_kernel inflow\n" +
      explosion() +
      "result %48\nend\nkernel proceed step\n%0 = load f\nstore f %0\nend\nend machine\n";
  EXPECT_EQ(error_of_plan(passes::prepare(om::parse(text), passes::Numbers::strict)),
            "<text>:6: error: boundary kernel `inflow` needs more than 50000 operations");
}

TEST(Plan, AFluxReadByItsOwnLoopIsCarriedInOneLine) {
  auto m = program(
      "%0 = load f\n%1 = shift %0 (0, -1)\n%2 flux = mul %0 %1\n%3 = shift %2 (0, 1)\n"
      "%4 = sub %3 %2\nstore f %4\n",
      2);
  auto plan = make_plan(m, with({{"proceed/flux.storage", "rolling"}}));
  ASSERT_EQ(only(plan).groups.size(), 1u);
  const Group& group = only(plan).groups[0];
  ASSERT_EQ(group.stages.size(), 1u);
  ASSERT_EQ(group.buffers.size(), 1u);
  EXPECT_EQ(group.buffers[0].lines[1], 1);
}

TEST(Plan, WhatOnlyItsOwnLoopReadsAsItIsMadeNeedsNoMemory) {
  auto m = program("%0 = load f\n%1 a = mul %0 %0\n%2 = neg %1\nstore f %2\n", 2);
  auto plan = make_plan(m, with({{"proceed/a.storage", "rolling"}}));
  EXPECT_TRUE(only(plan).groups[0].buffers.empty());
}

/// The first spare array holds numbers, then integers of the same size.
TEST(Plan, CountsTheBytesOfAnArrayOnce) {
  auto m = program(
      "%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (1)\n%3 b = add %1 %2\n%4 = shift %3 (1)\n"
      "%5 = add %3 %4\n%6 c = cast %5 i64\n%7 = shift %6 (1)\n%8 = cast %7 f64\nstore g %8\n");
  const auto plan = make_plan(m, with({{"proceed/a.storage", "array"},
                                       {"proceed/b.storage", "array"},
                                       {"proceed/c.storage", "array"}}));
  const Output& c = only(plan).groups[2].stages[0].outputs[0];
  EXPECT_EQ(c.array, (ArrayRef{std::nullopt, 0, om::Element::i64}));
  EXPECT_EQ(plan.spares.at(8), 2);
  EXPECT_EQ(only(plan).touched_bytes, 4 * 8u);  // with `f` and `g`
}

TEST(DefaultPlanner, RollsEveryLinkOfADeepStencilChain) {
  std::string body = "%0 = load f\n";
  int last = 0;
  for (int i = 0; i < 6; ++i) {  // six smoothings, each of four neighbours and a square root
    auto v = [&](int k) { return "%" + std::to_string(last + k); };
    body += v(1) + " = shift " + v(0) + " (1, 0)\n" + v(2) + " = shift " + v(0) + " (-1, 0)\n";
    body += v(3) + " = shift " + v(0) + " (0, 1)\n" + v(4) + " = shift " + v(0) + " (0, -1)\n";
    body +=
        v(5) + " = add " + v(1) + " " + v(2) + "\n" + v(6) + " = add " + v(3) + " " + v(4) + "\n";
    body += v(7) + " = add " + v(5) + " " + v(6) + "\n" + v(8) + " = sqrt " + v(7) + "\n";
    last += 8;
  }
  auto m = program(body + "store f %48\n", 2);
  auto plan = make_plan(m, default_schedule(m));
  ASSERT_EQ(only(plan).groups.size(), 1u);
  const Group& group = only(plan).groups[0];
  EXPECT_EQ(group.form, Form::swept);
  ASSERT_EQ(group.stages.size(), 6u);
  ASSERT_EQ(group.buffers.size(), 5u);
  for (const Buffer& buffer : group.buffers) EXPECT_EQ(buffer.lines[1], 3);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(group.stages[i].lags[0], (om::Offset{0, i}));
}

}  // namespace
}  // namespace paraiso::plan
