// Movable cuts: where they go, that no bit depends on them, and that a slow rank gets less to do.
#include <gtest/gtest.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

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

/// Of all threads of this process.
double processor_seconds_of_all() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Ranks that take so long for each cell, whatever the processor does: `factors` times 2 us.
struct Burdened {
  Burdened(const Library& library, std::vector<double> factors)
      : slowness(std::move(factors)),
        cells(slowness.size()),
        parts(ranks_of(library, size, static_cast<std::int64_t>(slowness.size()),
                       [this](int rank) {
                         const auto r = static_cast<std::size_t>(rank);
                         work(2e-6 * slowness[r] * cells[r]);
                       })),
        ranks(*parts),
        // However long moves took on a busy machine.
        instance(std::move(parts), {.window = 10, .saved_windows = 1e6}) {
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
  /// Seconds that each rank is busy in the steps until it is looked at: since cuts moved.
  std::vector<double> busy_between_looks() {
    const auto before = ranks.busy();
    for (int i = 1; i < 10; ++i) step();
    const auto after = ranks.busy();
    std::vector<double> seconds;
    for (std::size_t r = 0; r < before.size(); ++r)
      seconds.push_back(after[r].kernels - before[r].kernels);
    return seconds;
  }
  om::Cell size = {4, 480};
  std::vector<double> slowness, cells;
  std::unique_ptr<RankedInstance> parts;  // until `instance` has them
  RankedInstance& ranks;
  BalancedInstance instance;
};

/// How far the busiest and the least busy are from the mean, as a share of it.
double inequality(const std::vector<double>& busy) {
  const double mean = std::accumulate(busy.begin(), busy.end(), 0.0) / std::ssize(busy);
  const auto [least, most] = std::ranges::minmax(busy);
  return std::max(most - mean, mean - least) / mean;
}

TEST_F(BalancedRun, ASlowRankGetsLessToDo) {
  for (const std::size_t ranks : {2u, 4u, 8u}) {
    std::vector<double> factors(ranks, 1);
    factors[1] = 2;
    Burdened run(library, factors);
    double left = inequality(run.busy_between_looks());
    EXPECT_GT(left, 0.25);
    for (int looks = 0; looks < 40 && left > 0.05; ++looks) {  // of at most 20 moves
      run.step();                                              // in which cuts may move
      left = inequality(run.busy_between_looks());
    }
    EXPECT_LE(left, 0.05) << ranks;
    EXPECT_GE(run.instance.moves().size(), 1u);
    EXPECT_LE(run.instance.moves().size(), 3u);
    // The slowest rank's cells in its own speed, against all cells at all speeds together.
    double slowest = 0, speed = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      slowest = std::max(slowest, run.cells[r] * factors[r]);
      speed += 1 / factors[r];
    }
    EXPECT_LE(slowest, 1.1 * 4 * 480 / speed) << ranks;
  }
}

/// Processor seconds of all ranks for a step, the least of some repeats of so many.
double seconds_of_a_step(Instance& instance, int steps) {
  double least = INFINITY;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = processor_seconds_of_all();
    for (int i = 0; i < steps; ++i) instance.run("proceed");
    instance.finish();
    least = std::min(least, (processor_seconds_of_all() - start) / steps);
  }
  return least;
}

/// After so many steps as ranks are looked at, on two million cells: what it takes, as a share.
/// A look is told apart where steps are short and each is followed by one.
TEST_F(BalancedRun, LookingTakesNextToNothing) {
  const om::Cell small = {8, 120}, large = {1000, 2000};
  for (const int ranks : {2, 4, 8}) {
    BalancedInstance looked_at(ranks_of(library, small, ranks), {.window = 1, .band = 1e9});
    const double look = seconds_of_a_step(looked_at, 200) -
                        seconds_of_a_step(*ranks_of(library, small, ranks), 200);
    const double step = seconds_of_a_step(*ranks_of(library, large, ranks), 5);
    const double share = look / (static_cast<double>(BalanceRules{}.window) * step);
    std::printf("%d ranks: a look takes %.0f us, a step %.0f us: a share of %.3f %%\n", ranks,
                1e6 * look, 1e6 * step, 100 * share);
    EXPECT_LT(share, 0.005);
  }
}

TEST_F(BalancedRun, AStableLoadMovesNothing) {
  Burdened run(library, {1, 1, 1});
  const om::Orthotree before = run.instance.tree();
  for (int step = 0; step < 1000; ++step) run.step();
  EXPECT_EQ(run.instance.moves().size(), 0u);
  EXPECT_EQ(run.instance.tree(), before);
}

/// Before cuts move and after: the first rank's loops.
TEST_F(BalancedRun, ComparesWhatItsRanksCompare) {
  Burdened run(library, {1, 9});
  const std::string before = run.instance.comparisons();
  EXPECT_NE(before, "");
  EXPECT_EQ(before, ranks_of(library, run.size, 2)->comparisons());
  while (run.instance.moves().empty()) run.step();
  EXPECT_EQ(run.instance.comparisons(), run.ranks.comparisons());
  EXPECT_NE(run.instance.comparisons(), before);
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
