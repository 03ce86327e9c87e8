// Movable cuts: where they go, that no bit depends on them, and that a slow rank gets less to do.
#include <gtest/gtest.h>
#include <time.h>

#include <cmath>

#include "machines.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/balance/balanced_instance.hpp"
#include "paraiso/runtime/fields/state.hpp"

namespace paraiso::runtime {
namespace {

om::Cell lengths(const om::Orthotree& tree, const om::Cell& size, std::size_t axis) {
  om::Cell found;
  for (const om::Box& box : tree.leaves(size)) found.push_back(box.upper[axis] - box.lower[axis]);
  return found;
}

TEST(Balance, CutsFollowSpeeds) {
  const om::Cell size = {10, 120};
  const om::Orthotree three = om::regular_division(size, {1, 3});
  // Equal parts of which the first takes twice as long: its share of the speeds is 1 of 5.
  const om::Orthotree moved = balanced(three, size, {{2, 1, 1}, {}});
  EXPECT_EQ(lengths(moved, size, 1), (om::Cell{24, 48, 48}));
  EXPECT_EQ(slowest(three, moved, size, {2, 1, 1}), 1.2);
  EXPECT_EQ(balanced(three, size, {{1, 1, 1}, {}}), three);
  EXPECT_DOUBLE_EQ(imbalance({2, 1, 1}), 0.5);
  EXPECT_EQ(imbalance({3, 3, 3}), 0);
}

TEST(Balance, EveryPartKeepsACellAndItsMemory) {
  const om::Cell size = {4, 4};
  const om::Orthotree four = om::regular_division(size, {1, 4});
  EXPECT_EQ(balanced(four, size, {{1000, 1, 1000, 1}, {}}), four);
  const om::Orthotree crossed = om::Orthotree::divide(0, 2, om::Orthotree::divide(1, 2, {}, {}),
                                                      om::Orthotree::divide(0, 3, {}, {}));
  const om::Orthotree moved = balanced(crossed, size, {{1e9, 1e9, 1, 1}, {}});
  EXPECT_EQ(moved.complaint(size), "");
  EXPECT_EQ(lengths(moved, size, 0), (om::Cell{1, 1, 2, 1}));
  const om::Cell large = {10, 120};
  const om::Orthotree two = om::regular_division(large, {1, 2});
  EXPECT_EQ(lengths(balanced(two, large, {{1, 3}, {1000, 1000}}), large, 1), (om::Cell{90, 30}));
  EXPECT_EQ(balanced(two, large, {{1, 3}, {800, 1000}}), two);  // no memory for 900 cells
}

class BalancedRun : public testing::Test {
 protected:
  const om::Machine program = passes::prepare(test::drift<double>(), passes::Numbers::fma);
  const Library library = compile(plan::plan_program(program, plan::default_schedule(program)),
                                  {.optimization = "-O1"});
};

/// With each cut somewhere in its part; a legal tree.
om::Orthotree with_random_cuts(om::Orthotree tree, const om::Cell& size, Rng& rng) {
  for (const std::size_t cut : tree.cuts()) {
    const auto axis = static_cast<std::size_t>(tree.nodes()[cut].axis);
    const om::Orthotree moved = tree.with_cut(cut, rng.between(1, size[axis] - 1));
    if (moved.complaint(size).empty()) tree = moved;
  }
  return tree;
}

TEST_F(BalancedRun, NoBitDependsOnWhereCutsAre) {
  const om::Cell size = {9, 14};
  const auto whole = library.instance(size);
  Rng rng(5);
  BalancedInstance balanced(library, size, om::even_division(size, 5), 1, {.window = 1 << 30});
  whole->run("bump");
  balanced.run("bump");
  for (int step = 0; step < 200; ++step) {
    om::Orthotree next = balanced.tree();
    while (next == balanced.tree()) next = with_random_cuts(next, size, rng);
    balanced.move_to(next);
    whole->run("proceed");
    balanced.run("proceed");
    ASSERT_EQ(save(balanced).statics, save(*whole).statics) << "step " << step;
  }
}

TEST_F(BalancedRun, GoesBackAcrossMoves) {
  const om::Cell size = {9, 14};
  BalancedInstance balanced(library, size, om::even_division(size, 3), 1, {});
  balanced.run("bump");
  balanced.keep();
  const auto before = save(balanced).statics;
  Rng rng(1);
  for (int i = 0; i < 3; ++i) {
    balanced.move_to(with_random_cuts(balanced.tree(), size, rng));
    balanced.run("proceed");
  }
  const auto after = save(balanced).statics;
  EXPECT_NE(after, before);
  balanced.go_back();
  EXPECT_EQ(save(balanced).statics, before);
  for (int i = 0; i < 3; ++i) balanced.run("proceed");
  EXPECT_EQ(save(balanced).statics, after);
}

/// Takes so many processor seconds.
void work(double seconds) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  for (const double end = now() + seconds; now() < end;) {
  }
}

/// Ranks that take so long for each cell, whatever the processor does: `factors` times 2 us.
struct Burdened {
  Burdened(const Library& library, std::vector<double> factors)
      : slowness(std::move(factors)),
        instance(library, size, om::even_division(size, static_cast<std::int64_t>(slowness.size())),
                 1, {.window = 10}, {}, [this](int rank) {
                   const auto r = static_cast<std::size_t>(rank);
                   work(2e-6 * slowness[r] * cells.at(r));
                 }) {
    count();
  }
  void count() {
    cells.clear();
    for (const om::Box& box : instance.tree().leaves(size))
      cells.push_back(static_cast<double>(box.cell_count()));
  }
  void step() {
    instance.run("proceed");
    count();  // between runs no rank reads it
  }
  om::Cell size = {8, 120};
  std::vector<double> slowness, cells = std::vector<double>(8, 0);
  BalancedInstance instance;
};

TEST_F(BalancedRun, ASlowRankGetsLessToDo) {
  for (const std::size_t ranks : {2u, 4u}) {
    std::vector<double> factors(ranks, 1);
    factors[1] = 2;
    Burdened run(library, factors);
    for (int step = 0; step < 60; ++step) run.step();
    EXPECT_GE(run.instance.moves().size(), 1u);
    EXPECT_LE(run.instance.moves().size(), 3u);
    // The slowest rank's cells in its own speed, against all cells at all speeds together.
    double slowest = 0, speed = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      slowest = std::max(slowest, run.cells[r] * factors[r]);
      speed += 1 / factors[r];
    }
    EXPECT_LE(slowest, 1.1 * 8 * 120 / speed) << ranks;
  }
}

TEST_F(BalancedRun, AStableLoadMovesNothing) {
  Burdened run(library, {1, 1, 1});
  const om::Orthotree before = run.instance.tree();
  for (int step = 0; step < 1000; ++step) run.step();
  EXPECT_EQ(run.instance.moves().size(), 0u);
  EXPECT_EQ(run.instance.tree(), before);
}

TEST_F(BalancedRun, WhatDoesNotPayIsLeft) {
  // No gain ever pays if a move must pay within no window.
  const om::Cell size = {8, 120};
  BalancedInstance still(library, size, om::even_division(size, 2), 1,
                         {.window = 5, .saved_windows = 0}, {},
                         [](int rank) { work(rank == 0 ? 1e-4 : 3e-4); });
  for (int step = 0; step < 40; ++step) still.run("proceed");
  EXPECT_EQ(still.moves().size(), 0u);
}

}  // namespace
}  // namespace paraiso::runtime
