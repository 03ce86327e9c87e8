// Movable cuts: where they go, that no bit depends on them, and that a slow rank gets less to do.
#include <gtest/gtest.h>

#include <cmath>

#include "machines.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/balance/balanced_instance.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/transport/processor_time.hpp"

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

std::unique_ptr<RankedInstance> ranks_of(const Library& library, const om::Cell& size,
                                         std::int64_t ranks, Division::Burden burden = {}) {
  return divided_instance(library, size, om::even_division(size, ranks), 1,
                          Library::Sharing::worthwhile, std::move(burden));
}

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
  const auto moving = ranks_of(library, size, 5);
  whole->run("bump");
  moving->run("bump");
  for (int step = 0; step < 200; ++step) {
    om::Orthotree next = moving->tree();
    while (next == moving->tree()) next = with_random_cuts(next, size, rng);
    ASSERT_TRUE(moving->move_to(next));
    whole->run("proceed");
    moving->run("proceed");
    ASSERT_EQ(save(*moving).statics, save(*whole).statics) << "step " << step;
  }
}

TEST_F(BalancedRun, GoesBackAcrossMoves) {
  const om::Cell size = {9, 14};
  const auto moving = ranks_of(library, size, 3);
  moving->run("bump");
  moving->keep();
  const auto before = save(*moving).statics;
  Rng rng(1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(moving->move_to(with_random_cuts(moving->tree(), size, rng)));
    moving->run("proceed");
  }
  const auto after = save(*moving).statics;
  const MessageCount sent = moving->traffic();
  EXPECT_NE(after, before);
  moving->go_back();
  EXPECT_EQ(moving->traffic().bytes, sent.bytes);
  EXPECT_EQ(save(*moving).statics, before);
  for (int i = 0; i < 3; ++i) moving->run("proceed");
  EXPECT_EQ(save(*moving).statics, after);
}

/// Takes so many processor seconds.
void work(double seconds) {
  for (const double end = processor_seconds() + seconds; processor_seconds() < end;) {
  }
}

/// Ranks that take so long for each cell, whatever the processor does: `factors` times 2 us.
struct Burdened {
  Burdened(const Library& library, std::vector<double> factors)
      : slowness(std::move(factors)),
        instance(ranks_of(library, size, static_cast<std::int64_t>(slowness.size()),
                          [this](int rank) {
                            const auto r = static_cast<std::size_t>(rank);
                            work(2e-6 * slowness[r] * cells.at(r));
                          }),
                 {.window = 10}) {
    count();
  }
  void count() {
    cells.clear();
    for (const om::Box& box : instance.tree().leaves(size))
      cells.push_back(static_cast<double>(box.cell_count()));
  }
  void step() {
    instance.run("proceed");
    instance.finish();  // then no rank reads what is counted
    count();
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
  BalancedInstance still(
      ranks_of(library, size, 2, [](int rank) { work(rank == 0 ? 1e-4 : 3e-4); }),
      {.window = 5, .saved_windows = 0});
  for (int step = 0; step < 40; ++step) still.run("proceed");
  EXPECT_EQ(still.moves().size(), 0u);
}

}  // namespace
}  // namespace paraiso::runtime
