// Split groups: which arrays their values share, how far their loops lie apart, and when there are
// none.
#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/cost/tile_shape.hpp"
#include "paraiso/plan/cpu/loop_words.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::plan {
namespace {

/// Some steps of a kernel on two fields; sides are `boundary` along all axes.
om::Machine fused_program(int dimension, int steps, const std::string& boundary,
                          const std::string& body) {
  std::string text = "paraiso 1\nmachine test dimension " + std::to_string(dimension) + "\n";
  for (const char* name : {"now", "before"}) {
    text += std::string("static ") + name + " local f64\n";
    for (int a = 0; a < dimension; ++a)
      text += "  boundary " + std::to_string(a) + " " + boundary + "\n";
  }
  text += "kernel proceed step\n" + body + "end\nend machine\n";
  const auto machine = passes::prepare(om::parse(text), passes::Numbers::strict);
  return passes::fuse(machine, steps).machine;
}

constexpr const char* kAverage =
    "%0 = load now\n%1 = shift %0 (1, 2, 1)\n%2 = shift %0 (0, -1, -1)\n%3 next = add %1 %2\n"
    "store now %3\n";
/// The step before the last one is read at the cell itself.
constexpr const char* kLeapfrog =
    "%0 = load now\n%1 = shift %0 (0, 1, 2)\n%2 = load before\n%3 next = sub %1 %2\n"
    "store now %3\nstore before %0\n";

Schedule split(const om::Machine& machine) {
  Schedule schedule;
  for (const Gene& gene : genes(machine)) {
    if (gene.name.ends_with("/form")) schedule.choices[gene.name] = "split";
    if (gene.name.ends_with(".storage") || gene.name.ends_with(".state"))
      schedule.choices[gene.name] = "rolling";
    if (gene.name.ends_with("/tile_y")) schedule.choices[gene.name] = "16";
  }
  return schedule;
}

/// What the plan of the fused kernel says, but for times and what a cell costs.
std::string text_of(const Plan& plan) {
  const std::string text =
      describe(plan, {std::vector<std::int64_t>(plan.machine.dimension, 64)}, predict, cpu_loops);
  const std::string heading = "kernel `" + plan.kernels.back().kernel->name + "`\n";
  const auto begin = text.find(heading) + heading.size();
  return text.substr(text.find('\n', text.find('\n', begin) + 1) + 1);
}

TEST(Split, StepsTakeTurnsInTwoArrays) {
  const auto machine = fused_program(3, 4, "cyclic cyclic", kAverage);
  const Plan plan = make_plan(machine, split(machine));
  EXPECT_EQ(text_of(plan),
            "  fill the halo of `now` on [-4, N) x [-8, N+4) x [-4, N+4)\n"
            "  group 1 over [0, N) x [0, N) x [0, N), split along y, swept along z, tiles of all x "
            "16 x all cells\n"
            "    loop 1: 1 operations a cell, 3 terms\n"
            "      next -> spare f64 array 0\n"
            "    loop 2: 1 operations a cell, 3 terms\n"
            "      next_step1 -> the array of `now`\n"
            "    loop 3: 1 operations a cell, 3 terms\n"
            "      next_step2 -> spare f64 array 0\n"
            "    loop 4: 1 operations a cell, 3 terms\n"
            "      next_step3 -> the array of `now`, the new `now`\n");
}

TEST(Split, ThreeTimeLevelsNeedNoSpareArray) {
  const auto machine = fused_program(3, 3, "cyclic cyclic", kLeapfrog);
  const Plan plan = make_plan(machine, split(machine));
  EXPECT_TRUE(plan.kernels.back().spares.empty());
  EXPECT_EQ(text_of(plan),
            "  fill the halo of `now` on [0, N) x [-3, N) x [-6, N)\n"
            "  fill the halo of `before` on [0, N) x [-2, N) x [-4, N)\n"
            "  group 1 over [0, N) x [0, N) x [0, N), split along y, swept along z, tiles of all x "
            "16 x all cells\n"
            "    loop 1: 1 operations a cell, 3 terms\n"
            "      next -> the array of `before`\n"
            "    loop 2: 1 operations a cell, 3 terms\n"
            "      next_step1 -> the array of `now`, the new `before`\n"
            "    loop 3: 1 operations a cell, 3 terms\n"
            "      next_step2 -> the array of `before`, the new `now`\n"
            "  `now` swaps with the array of `before`\n");
}

/// Nothing is overwritten while it is still read, from whichever side.
TEST(Split, LoopsLieApartAsFarAsTheyReadOnEitherSide) {
  const auto machine = fused_program(3, 3, "cyclic cyclic", kAverage);
  const Plan plan = make_plan(machine, split(machine));
  const Group& group = plan.kernels.back().groups[0];
  ASSERT_EQ(group.form, Form::split);
  EXPECT_EQ(group.cut, 1);
  EXPECT_EQ(group.sweep, std::vector{2});
  for (int s = 0; s < 3; ++s) {
    EXPECT_EQ(group.stages[s].slope, 2 * s);
    EXPECT_EQ(group.stages[s].lags[0], (om::Offset{0, 0, s}));
  }
}

TEST(Split, APlaneHasNoSweep) {
  const auto machine = fused_program(
      2, 2, "cyclic cyclic", "%0 = load now\n%1 = shift %0 (1, 1)\n%2 = add %0 %1\nstore now %2\n");
  const Group group = make_plan(machine, split(machine)).kernels.back().groups[0];
  EXPECT_EQ(group.form, Form::split);
  EXPECT_EQ(group.cut, 1);
  EXPECT_TRUE(group.sweep.empty());
}

TEST(Split, WhatIsWrittenIsSoonReadAndNotSentPastTheCaches) {
  const auto machine = fused_program(3, 2, "cyclic cyclic", kAverage);
  Schedule schedule = split(machine);
  schedule.choices["proceed_2/streaming"] = "large";
  EXPECT_FALSE(make_plan(machine, schedule).kernels.back().groups[0].cpu.streaming);
}

/// The gene of each kernel after repair.
std::string form(const om::Machine& machine, const Schedule& schedule) {
  return repair(machine, schedule).choices.at(machine.kernels.back().name + "/form");
}

TEST(Split, IsDemotedWhereNothingIsKept) {
  const auto machine = fused_program(3, 2, "cyclic cyclic", kAverage);
  Schedule schedule = split(machine);
  EXPECT_EQ(form(machine, schedule), "split");
  schedule.choices["proceed_2/next.storage"] = "inline";
  EXPECT_EQ(form(machine, schedule), "overlapped");
  schedule.choices["proceed_2/next.storage"] = "array";
  EXPECT_EQ(form(machine, schedule), "overlapped");
}

TEST(Split, FillsStatesRowByRowAtTheEdges) {
  const auto machine = fused_program(3, 3, "outflow outflow", kAverage);
  const KernelPlan kernel = make_plan(machine, split(machine)).kernels.back();
  ASSERT_EQ(kernel.groups.size(), 1u);
  EXPECT_EQ(kernel.spares.at(8), 1);
  const auto& stages = kernel.groups[0].stages;
  ASSERT_EQ(stages.size(), 3u);
  for (int s = 0; s < 2; ++s) {
    ASSERT_EQ(stages[s].row_fills.size(), 1u);
    EXPECT_EQ(stages[s].limit.lower[1] + stages[s].limit.upper[1], 0);  // made on the core
    EXPECT_EQ(stages[s].row_fills[0].width.text(), "[-1, N) x [-2, N+1) x [-1, N+1)");
    EXPECT_EQ(stages[s].row_fills[0].lag, stages[s].lags[0]);
  }
  EXPECT_TRUE(stages[2].row_fills.empty());
}

/// Across a grid that goes round tiles can't reach where an index counts on: arrays are filled
/// between the steps, and no loop is left that another one follows.
TEST(Split, IsDemotedWhereStatesLieInArrays) {
  const auto machine = fused_program(2, 2, "cyclic cyclic",
                                     "%0 = load now\n%1 = shift %0 (1, 1)\n%2 = load_index 1\n"
                                     "%3: local f64 = cast %2 f64\n%4 = add %1 %3\nstore now %4\n");
  EXPECT_EQ(form(machine, split(machine)), "overlapped");
}

TEST(Split, IsNoChoiceOnALine) {
  const auto machine = fused_program(1, 2, "cyclic cyclic",
                                     "%0 = load now\n%1 = shift %0 (1)\n"
                                     "%2 = add %0 %1\nstore now %2\n");
  EXPECT_TRUE(std::ranges::none_of(genes(machine),
                                   [](const Gene& gene) { return gene.name.ends_with("/form"); }));
}

constexpr const char* kLaplacian =
    "%0 = load now\n%1 = shift %0 (0, 0, 1)\n%2 = shift %0 (0, 0, -1)\n"
    "%3 = shift %0 (0, 1, 0)\n%4 = shift %0 (0, -1, 0)\n%5 = shift %0 (1, 0, 0)\n"
    "%6 = shift %0 (-1, 0, 0)\n%7 = add %1 %2\n%8 = add %3 %4\n%9 = add %5 %6\n"
    "%10 = add %7 %8\n%11 next = add %9 %10\nstore now %11\n";

/// As support::SplitTiles: on average over their loops tiles are at least as long as told, and at
/// first as long as both their ends move.
TEST(Split, TilesAreAtLeastAsLongAsTold) {
  const auto machine = fused_program(3, 8, "cyclic cyclic", kLaplacian);
  Schedule schedule = split(machine);
  const auto shape = [&](std::int64_t rows) {
    const Group group = make_plan(machine, schedule).kernels.back().groups[0];
    return tile_shape(group, {64, rows, 64}, 2);
  };
  EXPECT_EQ(shape(100).tiles, 4);
  EXPECT_EQ(shape(100).shared, 14);
  EXPECT_EQ(shape(20).tiles, 1);
  schedule.choices["proceed_8/tile_y"] = "4";
  EXPECT_EQ(shape(100).tiles, 7);
}

TEST(Split, RecomputesNothingBetweenTiles) {
  const auto machine = fused_program(3, 8, "cyclic cyclic", kLaplacian);
  Schedule schedule = split(machine);
  const auto arithmetic = [&] {
    const Plan plan = make_plan(machine, schedule);
    const Prediction prediction = predict(machine, plan.kernels.back(), {{512, 512, 512}});
    return prediction.parts[static_cast<std::size_t>(Limit::arithmetic)];
  };
  const double shared_out = arithmetic();
  schedule.choices["proceed_8/form"] = "overlapped";
  EXPECT_GT(arithmetic(), 1.3 * shared_out);
}

TEST(DefaultPlanner, SplitsManyFusedSteps) {
  const auto machine = fused_program(3, 8, "cyclic cyclic", kLaplacian);
  const Schedule schedule = default_schedule(machine, {{512, 512, 512}});
  EXPECT_EQ(schedule.choices.at("proceed_8/form"), "split");
  EXPECT_EQ(schedule.choices.at("proceed/form"), "overlapped");
}

}  // namespace
}  // namespace paraiso::plan
