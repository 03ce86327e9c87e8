// The divided machine is the whole one, bit for bit, and what a wrong one would do is noticed.
#include "paraiso/om/interpret/interpret_divided.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/random_tree.hpp"

namespace paraiso::om {
namespace {

struct DividedCase {
  Machine machine;
  State state;
  Orthotree tree;
};
/// All kinds of everything: boundaries, elements, one-sided stencils, reductions, 1 to 4 axes, 1 to
/// 64 leaves, halos wider than leaves, leaves of one cell, rows of several chunks.
DividedCase divided_case(std::uint64_t seed) {
  Rng rng(seed);
  DividedCase c{test::random_machine(rng, {.reach = seed % 7 == 0 ? 9 : 4}), {}, {}};
  c.state = test::random_state(c.machine, test::random_size(rng, c.machine.dimension, 250), rng);
  c.tree = test::random_tree(rng, c.state.size, 1 + rng.below(rng.chance(0.3) ? 64 : 12));
  return c;
}

/// How the divided machine differs after all kernels, run twice; "" if it does not.
std::string difference(const DividedCase& c, Flaw flaw = Flaw::none) {
  State whole = c.state;
  try {
    DividedState divided(c.machine, c.tree, c.state, flaw);
    for (int round = 0; round < 2; ++round)
      for (const Kernel& kernel : c.machine.kernels) {
        interpret(c.machine, kernel, whole);
        divided.run(kernel);
      }
    return test::compare_states(c.machine, whole, divided.gather());
  } catch (const std::logic_error& error) {
    return error.what();
  }
}

class DividedPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DividedPrograms, HaveTheBitsOfTheWhole) {
  std::size_t leaves = 0;
  for (std::uint64_t seed = 100 * GetParam(); seed < 100 * (GetParam() + 1); ++seed) {
    const DividedCase c = divided_case(seed);
    leaves += c.tree.leaf_count();
    ASSERT_EQ(difference(c), "") << "seed " << seed << "\n" << print(c.machine) << print(c.tree);
  }
  EXPECT_GT(leaves, 300u);
}
INSTANTIATE_TEST_SUITE_P(Hundred, DividedPrograms, testing::Range<std::uint64_t>(0, 7));

// Each flaw is noticed in many of the programs in which it can matter.
TEST(DividedFlaws, AreNoticed) {
  const std::pair<Flaw, const char*> flaws[] = {{Flaw::narrow_halo, "a halo one cell too narrow"},
                                                {Flaw::stale_halo, "a halo not sent again"},
                                                {Flaw::corner_order, "corners of the wrong axis"},
                                                {Flaw::local_index, "indices from a leaf's cell"},
                                                {Flaw::local_sum, "sums by a tree for each leaf"}};
  for (const auto& [flaw, what] : flaws) {
    int noticed = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed)
      noticed += !difference(divided_case(seed), flaw).empty();
    EXPECT_GE(noticed, 3) << what;
    RecordProperty(what, noticed);
  }
}

// The smallest program that shows each flaw, so that not only luck notices it.
Machine machine_of(const std::string& sides, const std::string& body) {
  return parse("paraiso 1\nmachine m dimension 2\nstatic f local f64\n" + sides +
               "static total global f64\nkernel k\n" + body + "end\nend machine\n");
}
void expect_noticed(Flaw flaw, const Machine& machine, int runs = 1) {
  Rng rng(3);
  const DividedCase c{machine, test::random_state(machine, {70, 60}, rng),
                      Orthotree::divide(1, 2, Orthotree::divide(0, 3, {}, {}), {})};
  for (const Flaw f : {Flaw::none, flaw}) {
    State expected = c.state;
    std::string seen;
    try {
      DividedState divided(machine, c.tree, c.state, f);
      for (int i = 0; i < runs; ++i) {
        interpret(machine, machine.kernels[0], expected);
        divided.run(machine.kernels[0]);
      }
      seen = test::compare_states(machine, expected, divided.gather());
    } catch (const std::logic_error& error) {
      seen = error.what();
    }
    EXPECT_EQ(seen.empty(), f == Flaw::none) << seen;
  }
}
const std::string kOpen = "boundary 0 outflow outflow\nboundary 1 outflow outflow\n";

TEST(DividedFlaws, NarrowHalo) {
  expect_noticed(Flaw::narrow_halo,
                 machine_of(kOpen, "%0 = load f\n%1 = shift %0 (0, -1)\nstore f %1\n"));
}
TEST(DividedFlaws, StaleHalo) {
  expect_noticed(Flaw::stale_halo,
                 machine_of(kOpen, "%0 = load f\n%1 = shift %0 (0, -1)\nstore f %1\n"), 2);
}
TEST(DividedFlaws, CornerOrder) {
  expect_noticed(Flaw::corner_order,
                 machine_of("boundary 0 fixed 1 fixed 2\nboundary 1 fixed 3 fixed 4\n",
                            "%0 = load f\n%1 = shift %0 (1, 1)\nstore f %1\n"));
}
TEST(DividedFlaws, LocalIndex) {
  expect_noticed(Flaw::local_index,
                 machine_of(kOpen, "%0 = load_index 1\n%1 = cast %0 f64\nstore f %1\n"));
}
TEST(DividedFlaws, LocalSum) {
  expect_noticed(Flaw::local_sum,
                 machine_of(kOpen, "%0 = load f\n%1 = reduce sum %0\nstore total %1\n"));
}

// What was sent before and not stored since is not sent again.
TEST(Divided, SendsAStaticAgainOnlyAfterAStore) {
  const Machine machine = parse(
      "paraiso 1\nmachine m dimension 1\nstatic f local f64\nboundary 0 cyclic cyclic\n"
      "static g local f64\nboundary 0 outflow outflow\n"
      "kernel from_f\n%0 = load f\n%1 = shift %0 (1)\nstore g %1\nend\n"
      "kernel to_f\n%0 = load g\nstore f %0\nend\nend machine\n");
  DividedState divided(machine, Orthotree::divide(0, 4, {}, {}), initial_state(machine, {9}));
  const auto cells = [&](const char* kernel) {
    divided.run(*machine.find_kernel(kernel));
    return divided.sent().cells;
  };
  EXPECT_EQ(cells("from_f"), 2u);
  EXPECT_EQ(divided.sent().messages, 2u);
  EXPECT_EQ(cells("from_f"), 0u);
  EXPECT_EQ(cells("to_f"), 0u);
  EXPECT_EQ(cells("from_f"), 2u);
}

// Cuts that move before every step, as balancing does.
TEST(Divided, CutsMayMoveWhileItRuns) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Machine machine = test::random_machine(rng, {.operations = 10});
    State whole = test::random_state(machine, test::random_size(rng, machine.dimension, 120), rng);
    Orthotree tree = test::random_tree(rng, whole.size, 2 + rng.below(12));
    DividedState divided(machine, tree, whole);
    for (int step = 0; step < 200; ++step) {
      const Kernel& kernel = machine.kernels[rng.below(machine.kernels.size())];
      tree = rng.chance(0.1) ? test::random_tree(rng, whole.size, 1 + rng.below(12))
                             : test::random_move(rng, tree, whole.size);
      divided.redivide(tree);
      divided.run(kernel);
      interpret(machine, kernel, whole);
    }
    EXPECT_EQ(test::compare_states(machine, whole, divided.gather()), "");
  }
}

TEST(Divided, ATreeThatDoesNotFitIsRefused) {
  const Machine machine = machine_of(kOpen, "%0 = load f\nstore f %0\n");
  EXPECT_THROW(
      DividedState(machine, Orthotree::divide(0, 7, {}, {}), initial_state(machine, {7, 6})),
      Error);
}

}  // namespace
}  // namespace paraiso::om
