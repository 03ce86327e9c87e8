// Chained Loads that become values of the step before, and those that must stay.
#include "paraiso/passes/steps/join_steps.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::passes {
namespace {

using om::Machine;

/// A field `u` of the given boundary, and `w` whose upper side reads `u`.
Machine machine_with(const std::string& boundary, const std::string& body) {
  return om::parse(
      "paraiso 1\nmachine test dimension 1\n"
      "static u local f64\n  boundary 0 " +
          boundary +
          "\nstatic w local f64\n  boundary 0 outflow kernel edge\n"
          "boundary_kernel edge\n%0 = load u\nresult %0\nend\n"
          "kernel proceed\n" +
          body + "end\nend machine\n",
      "test.om");
}

std::string joined(const Machine& machine) {
  const Machine after = join_steps(machine);
  om::verify(after);
  const std::string text = print(after);
  const auto begin = text.find("kernel proceed");
  return text.substr(begin, text.find("end\n", begin) - begin);
}

constexpr const char* kTwoSteps =
    "%0 = load u\n%1 = shift %0 (1)\n%2 = mul %0 %1\nstore u %2\n"
    "%3 = load u @1\n%4 = shift %3 (1)\nstore u @1 %4\n";

TEST(JoinSteps, TakesAValueForTheLoadOnACyclicAxis) {
  EXPECT_EQ(joined(machine_with("cyclic cyclic", kTwoSteps)),
            "kernel proceed\n"
            "  %0: local f64 = load u\n"
            "  %1: local f64 = shift %0 (1)\n"
            "  %2: local f64 = mul %0 %1\n"
            "  %3: local f64 = shift %2 (1)\n"
            "  store u @1 %3\n");
}

TEST(JoinSteps, KeepsWhatIsFilledAtAnEdge) {
  const Machine program = machine_with("reflect + outflow", kTwoSteps);
  EXPECT_EQ(print(join_steps(program)), print(program));
}

TEST(JoinSteps, TheCellItselfNeedsNoBoundary) {
  EXPECT_EQ(
      joined(machine_with("outflow outflow",
                          "%0 = load u\n%1 = neg %0\nstore u %1\n%2 = load u @1\n%3 = mul %2 %2\n"
                          "store u @1 %3\n")),
      "kernel proceed\n"
      "  %0: local f64 = load u\n"
      "  %1: local f64 = neg %0\n"
      "  %2: local f64 = mul %1 %1\n"
      "  store u @1 %2\n");
}

/// Beyond the core an index counts on, and another field may end there.
TEST(JoinSteps, WhatDoesNotGoRoundIsKept) {
  const Machine index =
      machine_with("cyclic cyclic",
                   "%0 = load_index 0\n%1 = cast %0 f64\nstore u %1\n%2 = load u @1\n"
                   "%3 = shift %2 (1)\nstore u @1 %3\n");
  EXPECT_EQ(print(join_steps(index)), print(index));
  const Machine other = machine_with("cyclic cyclic",
                                     "%0 = load w\nstore u %0\n%1 = load u @1\n%2 = shift %1 (1)\n"
                                     "store u @1 %2\n");
  EXPECT_EQ(print(join_steps(other)), print(other));
}

/// Beyond a corner a boundary kernel of the later axis is asked, and it may count cells there.
TEST(JoinSteps, ACornerIsTheLaterAxissKernels) {
  const auto program = [](const std::string& kernel) {
    return om::parse(
        "paraiso 1\nmachine corner dimension 2\n"
        "static u local f64\n  boundary 0 cyclic cyclic\n  boundary 1 kernel edge outflow\n"
        "static v local f64\n  boundary 0 cyclic cyclic\n  boundary 1 outflow outflow\n"
        "static total global f64\nboundary_kernel edge\n" +
            kernel +
            "end\nkernel proceed step\n%0 = load u\n%1 = shift %0 (0, 1)\nstore v %1\n"
            "%2 = load v\n%3 = shift %2 (1, 0)\nstore u %3\n%4 = reduce sum %3\nstore total %4\n"
            "end\nend machine\n",
        "corner.om");
  };
  // What v has of u, cells from above, is read beyond a row's end by the second step.
  const auto keeps_load = [](const Machine& machine) {
    return print(join_steps(fuse_steps(machine, 2).machine)).find("load v @1") != std::string::npos;
  };
  EXPECT_TRUE(keeps_load(program("%0 = load_index 0\n%1 = cast %0 f64\nresult %1\n")));
  EXPECT_TRUE(keeps_load(program("%0 = load v\nresult %0\n")));
  EXPECT_FALSE(keeps_load(program("%0 = load_index 1\n%1 = cast %0 f64\nresult %1\n")));
}

TEST(JoinSteps, WhatMustNotBeStoredIsNotComputedTwiceEither) {
  const Machine program =
      machine_with("cyclic cyclic",
                   "%0 = load u\n%1: delayed = neg %0\nstore u %1\n%2 = load u @1\n"
                   "%3 = shift %2 (1)\nstore u @1 %3\n");
  EXPECT_EQ(print(join_steps(program)), print(program));
}

/// The edge of `w` reads what the first step stored of `u`, although no Load does any more.
TEST(JoinSteps, KeepsWhatABoundaryKernelReads) {
  EXPECT_EQ(
      joined(machine_with("cyclic cyclic",
                          "%0 = load u\n%1 = neg %0\nstore u %1\n%2 = load w\nstore w %2\n"
                          "%3 = load u @1\n%4 = load w @1\n%5 = shift %4 (-1)\nstore u @1 %3\n"
                          "store w @1 %5\n")),
      "kernel proceed\n"
      "  %0: local f64 = load u\n"
      "  %1: local f64 = neg %0\n"
      "  store u %1\n"
      "  %2: local f64 = load w\n"
      "  store w %2\n"
      "  store u @1 %1\n"
      "  %3: local f64 = load w @1\n"
      "  %4: local f64 = shift %3 (-1)\n"
      "  store w @1 %4\n");
}

TEST(JoinSteps, RandomProgramsKeepTheirBits) {
  int loads = 0, left = 0;
  const auto count = [](const om::Graph& graph) {
    int inner = 0;
    for (om::NodeId id : om::canonical_order(graph))
      if (const auto* load = std::get_if<om::Load>(&graph.node(id).instruction))
        inner += load->step > 0;
    return inner;
  };
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Rng rng(seed);
    const Machine program = prepare(test::random_machine(rng), Numbers::strict);
    Fused fused;
    try {
      fused = fuse_steps(program, static_cast<int>(rng.between(2, 3)), true);
    } catch (const CannotFuse&) {
      continue;
    }
    const Machine after = join_steps(fused.machine);
    om::verify(after);
    const auto& before_kernel = *fused.machine.find_kernel(fused.fusion.kernel);
    const auto& after_kernel = *after.find_kernel(fused.fusion.kernel);
    loads += count(before_kernel.graph);
    left += count(after_kernel.graph);
    auto expected =
        test::random_state(program, test::random_size(rng, program.dimension, 200), rng);
    auto seen = expected;
    om::interpret(fused.machine, before_kernel, expected);
    om::interpret(after, after_kernel, seen);
    ASSERT_EQ(test::compare_states(program, expected, seen), "") << "seed " << seed << "\n"
                                                                 << om::print(fused.machine);
  }
  EXPECT_GT(left, 50);
  EXPECT_GT(loads, left + 50);
}

}  // namespace
}  // namespace paraiso::passes
