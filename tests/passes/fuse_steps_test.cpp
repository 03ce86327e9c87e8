// Steps fused by `fuse_steps` against the same steps one by one; what it refuses; the clock.
#include "paraiso/passes/steps/fuse_steps.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/extract_clock.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::passes {
namespace {

using om::Machine;
using om::State;

/// Fields u and w of different boundaries, a time with its step, a sum, a parameter.
Machine steps_of(const std::string& body) {
  return om::parse(
      "paraiso 1\nmachine test dimension 1\n"
      "static u local f64\n  boundary 0 cyclic cyclic\n"
      "static w local f64\n  boundary 0 outflow kernel edge\n"
      "static time global f64 time\n"
      "static dt global f64 time_step = 0.5\n"
      "static total global f64\n"
      "static kappa global f64 parameter = 2\n"
      "boundary_kernel edge\n%0 = load time\n%1 = broadcast %0\nresult %1\nend\n"
      "kernel proceed step\n" +
          body + "end\nend machine\n",
      "test.om");
}

std::string fused_text(const Machine& machine, int steps, bool hold = false) {
  const std::string text = print(fuse_steps(machine, steps, hold).machine);
  const auto begin = text.find("kernel proceed_");
  return text.substr(begin, text.find("end\n", begin) - begin);
}

std::string complaint(const Machine& machine, int steps = 2, bool hold = false) {
  try {
    (void)fuse_steps(machine, steps, hold);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// One call of the fused kernel against `steps` calls of the step kernel, from a random state.
std::string difference(const Machine& program, const Fused& fused, std::vector<std::int64_t> size,
                       Rng& rng) {
  const State start = test::random_state(program, std::move(size), rng);
  State expected = start, seen = start;
  interpret_steps(program, fused.fusion, expected);
  om::interpret(fused.machine, *fused.machine.find_kernel(fused.fusion.kernel), seen);
  return test::compare_states(program, expected, seen);
}

// --- the program before and after ---

TEST(FuseSteps, ChainsAndDropsWhatNoLaterStepReads) {
  const auto m = steps_of(
      "%0 = load u\n%1 = shift %0 (1)\n%2 = add %0 %1\nstore u %2\n%3 = reduce sum %2\n"
      "store total %3\n");
  EXPECT_EQ(fused_text(m, 2),
            "kernel proceed_2\n"
            "  %0: local f64 = load u\n"
            "  %1: local f64 = shift %0 (1)\n"
            "  %2: local f64 = add %0 %1\n"
            "  store u %2\n"
            "  in \"step1\"\n"
            "  %3: local f64 = load u @1\n"
            "  %4: local f64 = shift %3 (1)\n"
            "  %5: local f64 = add %3 %4\n"
            "  store u @1 %5\n"
            "  %6: global f64 = reduce sum %5\n"
            "  store total @1 %6\n");
}

TEST(FuseSteps, KeepsTheNamesOfTheFirstStepAndSharesWhatIsConstant) {
  const auto m = steps_of(
      "in \"flow/x\"\n%0 = load u\n%1 = load kappa\n%2 rate = mul %1 %1\n%3 = broadcast %2\n"
      "%4 flux.x.mass: local f64 manifest = mul %0 %3\nstore u %4\n");
  EXPECT_EQ(fused_text(m, 3),
            "kernel proceed_3\n"
            "  in \"flow/x\"\n"
            "  %0: local f64 = load u\n"
            "  %1: global f64 = load kappa\n"
            "  %2 rate: global f64 = mul %1 %1\n"
            "  %3: local f64 = broadcast %2\n"
            "  %4 flux.x.mass: local f64 manifest = mul %0 %3\n"
            "  store u %4\n"
            "  in \"step1/flow/x\"\n"
            "  %5: local f64 = load u @1\n"
            "  %6 flux_step1.x.mass: local f64 manifest = mul %5 %3\n"
            "  store u @1 %6\n"
            "  in \"step2/flow/x\"\n"
            "  %7: local f64 = load u @2\n"
            "  %8 flux_step2.x.mass: local f64 manifest = mul %7 %3\n"
            "  store u @2 %8\n");
}

TEST(FuseSteps, GlobalsChainAsWell) {
  const auto m = steps_of(
      "%0 = load u\n%1 = load dt\n%2 = broadcast %1\n%3 = mul %0 %2\nstore u %3\n"
      "%4 = load time\n%5 = add %4 %1\nstore time %5\n");
  EXPECT_EQ(fused_text(m, 2),
            "kernel proceed_2\n"
            "  %0: local f64 = load u\n"
            "  %1: global f64 = load dt\n"
            "  %2: local f64 = broadcast %1\n"
            "  %3: local f64 = mul %0 %2\n"
            "  store u %3\n"
            "  %4: global f64 = load time\n"
            "  %5: global f64 = add %4 %1\n"
            "  store time %5\n"
            "  in \"step1\"\n"
            "  %6: local f64 = load u @1\n"
            "  %7: local f64 = mul %6 %2\n"
            "  store u @1 %7\n"
            "  %8: global f64 = load time @1\n"
            "  %9: global f64 = add %8 %1\n"
            "  store time @1 %9\n");
}

TEST(FuseSteps, KeepsTheStepKernelAndFindsAFreeName) {
  auto m = steps_of("%0 = load u\nstore u %0\n");
  m.kernels.push_back({"proceed_4", om::KernelRole::plain, m.kernels[0].graph, {}});
  const Fused fused = fuse_steps(m, 4);
  EXPECT_EQ(fused.fusion.kernel, "proceed_4_2");
  EXPECT_EQ(fused.fusion.steps, 4);
  EXPECT_TRUE(fused.fusion.held.empty());
  EXPECT_EQ(fused.machine.step_kernel()->name, "proceed");
  ASSERT_EQ(fused.machine.kernels.size(), 3u);
  EXPECT_EQ(fused.machine.kernels.back().role, om::KernelRole::plain);

  m.kernels[0].name = std::string(63, 'a') + "_";
  EXPECT_EQ(fuse_steps(m, 2).fusion.kernel, std::string(48, 'a') + "_2");
  m.kernels[0].name = "_";
  EXPECT_EQ(fuse_steps(m, 2).fusion.kernel, "_2");
}

TEST(FuseSteps, NamesAndScopesWithoutRoomAreLeftOut) {
  const std::string name(60, 'n'), scope(255, 's');
  const auto m =
      steps_of("in \"" + scope + "\"\n%0 = load u\n%1 " + name + " = neg %0\nstore u %1\n");
  const std::string text = fused_text(m, 2);
  EXPECT_NE(text.find("%1 " + name + ":"), std::string::npos);
  EXPECT_NE(text.find("in \"step1\"\n  %2: local f64 = load u @1\n  %3: local f64 = neg %2\n"),
            std::string::npos)
      << text;
}

// --- equal in bits ---

TEST(FuseSteps, SumsThatRunOnThroughTheStepsAreNotRefused) {
  const auto m = steps_of(
      "%0 = load u\n%1 = neg %0\nstore u %1\n%2 = reduce sum %1\n%3 = load total\n%4 = add %2 %3\n"
      "store total %4\n");
  Rng rng(1);
  for (int steps = 2; steps <= 4; ++steps)
    EXPECT_EQ(difference(m, fuse_steps(m, steps), {37}, rng), "");
}

/// A boundary kernel reads the time of the step whose halo it fills, also where no Load does.
TEST(FuseSteps, BoundaryKernelsSeeTheStepsOwnState) {
  const auto m = steps_of(
      "%0 = load w\n%1 = shift %0 (-3)\n%2 = shift %0 (1)\n%3 = add %1 %2\nstore w %3\n"
      "%4 = load dt\n%5 = load kappa\n%6 = mul %4 %5\nstore time %6\nstore dt %6\n");
  Rng rng(2);
  for (int steps = 2; steps <= 4; ++steps)
    for (std::int64_t size : {1, 2, 5, 30})
      EXPECT_EQ(difference(m, fuse_steps(m, steps), {size}, rng), "") << size;
}

/// `still` never changes, but its halo is filled from the time.
TEST(FuseSteps, WhatIsNotStoredIsCarriedOnWhereItsHaloChanges) {
  const auto m = om::parse(
      "paraiso 1\nmachine test dimension 1\n"
      "static u local f64\n  boundary 0 outflow outflow\n"
      "static still local f64\n  boundary 0 outflow kernel edge\n"
      "static time global f64 time\n"
      "boundary_kernel edge\n%0 = load time\n%1 = broadcast %0\nresult %1\nend\n"
      "kernel proceed step\n"
      "%0 = load u\n%1 = load still\n%2 = shift %1 (-1)\n%3 = add %0 %2\nstore u %3\n"
      "%4 = load time\n%5 = imm f64 1\n%6 = add %4 %5\nstore time %6\nend\nend machine\n");
  const Fused fused = fuse_steps(m, 3);
  EXPECT_NE(print(fused.machine).find("= load still @1\n"), std::string::npos);
  Rng rng(5);
  EXPECT_EQ(difference(m, fused, {6}, rng), "");
}

/// Every kind of boundary, corners, radii 0 to 5 that differ by static, axis and side.
TEST(FuseSteps, EveryBoundaryAndStaticsOfDifferentRadii) {
  const auto m = om::parse(
      "paraiso 1\nmachine test dimension 2\n"
      "static a local f64\n  boundary 0 cyclic cyclic\n  boundary 1 reflect - fixed 0.25\n"
      "static b local f32\n  boundary 0 outflow kernel edge\n  boundary 1 cyclic cyclic\n"
      "static c local i32\n  boundary 0 reflect + outflow\n  boundary 1 outflow fixed 7\n"
      "static still local f64\n  boundary 0 fixed 3 reflect -\n  boundary 1 outflow outflow\n"
      "static clock global f32\n"
      "boundary_kernel edge\n%0 = load c\n%1 = cast %0 f32\n%2 = load clock\n%3 = broadcast %2\n"
      "%4 = load_index 1\n%5 = cast %4 f32\n%6 = mul %5 %3\n%7 = add %1 %6\nresult %7\nend\n"
      "kernel proceed step\n"
      "%0 = load a\n%1 = shift %0 (1, -5)\n%2 = load still\n%3 = shift %2 (-2, 2)\n%4 = mul %1 %3\n"
      "%5 = load b\n%6 = shift %5 (-3, 0)\n%7 = shift %5 (0, 1)\n%8 = sub %6 %7\n%9 = cast %8 f64\n"
      "%10 = add %4 %9\nstore a %10\n"
      "%11 = load c\n%12 = shift %11 (2, 3)\n%13 = cast %12 f32\n%14 = add %13 %5\nstore b %14\n"
      "%15 = load_index 0\n%16 = cast %15 i32\n%17 = shift %16 (4, -4)\n%18 = sub %11 %17\n"
      "store c %18\n"
      "%19 = load clock\n%20 = imm f32 0.5\n%21 = add %19 %20\nstore clock %21\n"
      "end\nend machine\n");
  Rng rng(3);
  for (int steps = 2; steps <= 4; ++steps) {
    const Fused fused = fuse_steps(m, steps);
    for (const auto& size : std::vector<std::vector<std::int64_t>>{{1, 1}, {2, 3}, {9, 7}, {5, 20}})
      EXPECT_EQ(difference(m, fused, size, rng), "") << steps << " steps, " << size[0];
  }
}

/// Fused exactly where that is possible, else with what must be held, else refused twice.
TEST(FuseSteps, RandomProgramsKeepTheirBits) {
  int exact = 0, held = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Rng rng(seed);
    const auto numbers = rng.chance(0.5) ? Numbers::fma : Numbers::strict;
    const Machine program = prepare(test::random_machine(rng), numbers);
    const int steps = static_cast<int>(rng.between(2, 4));
    const bool hold = complaint(program, steps) != "no error";
    if (hold && complaint(program, steps, true) != "no error") continue;
    ++(hold ? held : exact);
    const Fused fused = fuse_steps(program, steps, hold);
    const auto size = test::random_size(rng, program.dimension, 200);
    ASSERT_EQ(difference(program, fused, size, rng), "") << "seed " << seed << "\n"
                                                         << print(fused.machine);
  }
  EXPECT_GE(exact, 100);
  EXPECT_GE(held, 3);
}

// --- refused ---

const char* const kAdaptive =
    "%0 = load u\n"
    "%1 = load dt\n"
    "%2 = broadcast %1\n"
    "%3 = mul %0 %2\n"
    "store u %3\n"
    "%4 = load time\n"
    "%5 = add %4 %1\n"
    "store time %5\n"
    "%6 = reduce min %3\n"
    "%7 = neg %6\n"
    "store dt %7\n";

TEST(FuseSteps, RefusesAReductionThatTheNextStepReads) {
  EXPECT_EQ(complaint(steps_of(kAdaptive), 3),
            "test.om:25: error: steps of `proceed` can't be fused: `dt` follows from this "
            "reduction, and the next step reads it\n"
            "test.om:18: note: `dt` is read here\n"
            "hint: `--hold-time-step` keeps `dt` as it is for 3 steps");
}

TEST(FuseSteps, RefusesAReductionThatABoundaryKernelReads) {
  const auto m = om::parse(
      "paraiso 1\nmachine test dimension 1\n"
      "static w local f64\n"
      "  boundary 0 outflow kernel edge\n"
      "static level global f64\n"
      "boundary_kernel edge\n"
      "%0 = load level\n"
      "%1 = broadcast %0\n"
      "result %1\nend\n"
      "kernel proceed step\n"
      "%0 = load w\n"
      "%1 = shift %0 (-1)\n"
      "store w %1\n"
      "%2 = reduce max %1\n"
      "store level %2\n"
      "end\nend machine\n",
      "edge.om");
  EXPECT_EQ(complaint(m),
            "edge.om:15: error: steps of `proceed` can't be fused: `level` follows from this "
            "reduction, and the next step reads it\n"
            "edge.om:7: note: `level` is read here\n"
            "hint: `--hold-time-step` keeps `level` as it is for 2 steps");
}

TEST(FuseSteps, RefusesAReductionWithinAStepHeldOrNot) {
  const auto m = steps_of(
      "%0 = load u\n"
      "%1 = reduce max %0\n"
      "%2 = broadcast %1\n"
      "%3 = div %0 %2\n"
      "store u %3\n");
  for (bool hold : {false, true})
    EXPECT_EQ(complaint(m, 2, hold),
              "test.om:18: error: steps of `proceed` can't be fused: the cells of a step wait for "
              "this reduction over all of them\n"
              "test.om:19: note: it is used here");
}

TEST(FuseSteps, RefusesATimeThatFollowsFromAReductionHeldOrNot) {
  const auto m = steps_of(
      "%0 = load u\n"
      "%1 = reduce max %0\n"
      "%2 = load time\n"
      "%3 = add %1 %2\n"
      "store u %0\n"
      "store time %3\n");
  for (bool hold : {false, true})
    EXPECT_EQ(complaint(m, 2, hold),
              "test.om:18: error: steps of `proceed` can't be fused: the time `time` follows from "
              "this reduction within the step\n"
              "test.om:22: note: `time` is stored here");
}

TEST(FuseSteps, RefusesWhatHasNoStepsToFuse) {
  auto m = steps_of("%0 = load u\nstore u %0\n%1 = load u @1\nstore u @1 %1\n");
  EXPECT_EQ(complaint(m),
            "test.om:20: error: steps of `proceed` can't be fused: it is chained already, and "
            "stores `u` at step 1");
  m.kernels[0].role = om::KernelRole::plain;
  EXPECT_EQ(complaint(m), "error: machine `test` has no step kernel: there are no steps to fuse");
  EXPECT_EQ(complaint(m, 1), "error: 1 steps can't be fused: expected 2 to 1024");
  EXPECT_EQ(complaint(m, 1025), "error: 1025 steps can't be fused: expected 2 to 1024");
}

// --- held ---

TEST(FuseSteps, HoldsTheTimeStepAndLetsTheTimeGoOn) {
  const auto m = steps_of(kAdaptive);
  EXPECT_EQ(fused_text(m, 2, true),
            "kernel proceed_2\n"
            "  %0: local f64 = load u\n"
            "  %1: global f64 = load dt\n"
            "  %2: local f64 = broadcast %1\n"
            "  %3: local f64 = mul %0 %2\n"
            "  store u %3\n"
            "  %4: global f64 = load time\n"
            "  %5: global f64 = add %4 %1\n"
            "  store time %5\n"
            "  in \"step1\"\n"
            "  %6: local f64 = load u @1\n"
            "  %7: local f64 = mul %6 %2\n"
            "  store u @1 %7\n"
            "  %8: global f64 = load time @1\n"
            "  %9: global f64 = add %8 %1\n"
            "  store time @1 %9\n"
            "  %10: global f64 = reduce min %7\n"
            "  %11: global f64 = neg %10\n"
            "  store dt @1 %11\n");
  const Fused fused = fuse_steps(m, 4, true);
  ASSERT_EQ(fused.fusion.held.size(), 1u);
  EXPECT_EQ(m.at(fused.fusion.held[0]).name, "dt");
  Rng rng(4);
  EXPECT_EQ(difference(m, fused, {11}, rng), "");
}

TEST(FuseSteps, HoldsNothingWithoutNeed) {
  const auto m = steps_of(
      "%0 = load u\n%1 = load dt\n%2 = broadcast %1\n%3 = mul %0 %2\nstore u %3\n"
      "%4 = neg %1\nstore dt %4\n");
  EXPECT_TRUE(fuse_steps(m, 2, true).fusion.held.empty());
  EXPECT_EQ(fused_text(m, 2, true), fused_text(m, 2));
}

// --- the clock ---

TEST(ExtractClock, HasGlobalsAndTimesAlone) {
  const auto clock = extract_clock(steps_of(kAdaptive), {"proceed_2", 2, {om::StaticId(3)}});
  ASSERT_TRUE(clock);
  EXPECT_EQ(print(*clock),
            "paraiso 1\nmachine test dimension 1\n\n"
            "static time global f64 time = 0\n"
            "static dt global f64 time_step = 0.5\n"
            "static total global f64 = 0\n"
            "static kappa global f64 parameter = 2\n"
            "\nkernel clock step\n"
            "  %0: global f64 = load time\n"
            "  %1: global f64 = load dt\n"
            "  %2: global f64 = add %0 %1\n"
            "  store time %2\n"
            "end\n\nend machine\n");
}

TEST(ExtractClock, IsNotThereWhereCellsHaveASayOrNoTimeIsStored) {
  EXPECT_FALSE(extract_clock(steps_of(kAdaptive), {}));
  EXPECT_FALSE(extract_clock(steps_of("%0 = load u\nstore u %0\n"), {}));
}

TEST(ExtractClock, KeepsTheTimesOfTheSteps) {
  const auto m = steps_of(
      "%0 = load u\n%1 = load dt\n%2 = broadcast %1\n%3 = mul %0 %2\nstore u %3\n"
      "%4 = load time\n%5 = add %4 %1\nstore time %5\n%6 = load kappa\n%7 = mul %1 %6\n"
      "store dt %7\n");
  const auto clock = extract_clock(m, {});
  ASSERT_TRUE(clock);
  State cells = om::initial_state(m, {3}), times = om::initial_state(*clock, {3});
  for (int step = 0; step < 5; ++step) {
    om::interpret(m, *m.step_kernel(), cells);
    om::interpret(*clock, *clock->step_kernel(), times);
    EXPECT_EQ(cells.arrays[2], times.arrays[0]);
  }
}

}  // namespace
}  // namespace paraiso::passes
