#include "paraiso/tune/scoreboard/scoreboard.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paraiso/tune/scoreboard/public_score.hpp"
#include "paraiso/tune/scoreboard/tables.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/landscape.hpp"

namespace paraiso::tune {
namespace {

/// Sixty times as scores.
std::vector<double> example() {
  std::vector<double> scores;
  for (int k = 1; k <= 60; ++k) scores.push_back(1 / (1 + (k * k * 7919) % 1009 / 100.0));
  return scores;
}

/// The figures are what `autotuning-methodology` 1.1.0 gives for these times.
TEST(PublicScore, IsThatOfThePackage) {
  const PublicScore score(example());
  EXPECT_EQ(score.first(), 3u);
  EXPECT_EQ(score.last(), 15u);
  const double random[] = {3.3,  2.79, 2.59, 2.41, 2.3,  2.19, 2.14,
                           2.14, 2.02, 2.02, 1.57, 1.57, 1.57};
  for (std::size_t x = 3; x <= 15; ++x) EXPECT_NEAR(score.random(x), random[x - 3], 1e-12) << x;
  std::vector<double> curve(10, 1 / 5.0);
  curve.resize(15, 1 / 2.0);
  EXPECT_NEAR(score(curve), -2.1243306986174377, 1e-12);
}

TEST(PublicScore, IgnoresFailuresAndHoldsTheLastScore) {
  auto scores = example();
  const PublicScore without(scores);
  scores.resize(80);
  const PublicScore with(scores);
  EXPECT_EQ(with.last(), without.last());
  const double best = std::ranges::max(scores);
  EXPECT_DOUBLE_EQ(with({best}), 1) << "a search that ends knows what it knew";
  EXPECT_LT(with({0, 0, 0}), 0);
}

TEST(PublicScore, RefusesWhatTellsNothing) {
  EXPECT_EQ(test::error_text([] {
              PublicScore({1, 0, 2});
            }),
            "error: fewer than three individuals succeeded");
  EXPECT_EQ(test::error_text([] {
              PublicScore({2, 2, 2, 2});
            }),
            "error: the individuals are too alike to tell searches apart");
}

TEST(Bootstrap, IsTheIntervalOfTheMean) {
  Rng rng(1);
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(rng.unit());
  const Interval interval = bootstrap({values});
  const double expected = 1.96 * std::sqrt(1 / 12.0 / 400);
  EXPECT_NEAR(interval.high - interval.low, 2 * expected, 0.2 * expected);
  EXPECT_LT(interval.low, 0.5 + expected);
  EXPECT_EQ(bootstrap({{3, 3}, {5, 5}}).low, 4);
}

/// Of n values the median of as many drawn ones lies between those 0.98 sqrt(n) beside the middle.
TEST(Bootstrap, IsTheIntervalOfTheMedian) {
  std::vector<double> values;
  for (int i = 0; i < 401; ++i) values.push_back((i * 97) % 401);
  const Interval interval = bootstrap_median(values);
  EXPECT_NEAR(interval.low, 200 - 0.98 * std::sqrt(401), 3);
  EXPECT_NEAR(interval.high, 200 + 0.98 * std::sqrt(401), 3);
  EXPECT_EQ(bootstrap_median({3, 3, 3}).high, 3);
}

/// As evaluations to a goal are where some searches never came to it.
TEST(Bootstrap, OfAMedianMayBeInfinite) {
  std::vector<double> values(50, HUGE_VAL);
  for (int i = 0; i < 50; ++i) values.push_back(i);
  const Interval doubtful = bootstrap_median(values);
  EXPECT_LT(doubtful.low, 50);
  EXPECT_EQ(doubtful.high, HUGE_VAL);
  values.resize(60);
  EXPECT_EQ(bootstrap_median(values).low, HUGE_VAL);
  EXPECT_LT(bootstrap_median({1, 2, 3, 4, 5, 6, 7, 8, 9, HUGE_VAL}).high, 10);
}

/// A complete recording of a landscape.
ScoredSpace scored(std::uint64_t seed) {
  const test::Landscape landscape(
      seed, {.genes = 6, .largest_allele_count = 4, .failing = 0.1, .pairs = 4});
  ScoredSpace space{"land" + std::to_string(seed) + ".recording", {}};
  space.recording.problem.machine = "landscape";
  space.recording.problem.genes = landscape.space().genes;
  Search search(landscape.space(), "exhaustive", 1);
  while (const auto birth = search.ask()) {
    const Measurement measurement = landscape.measure(birth->genome);
    search.tell(birth->genome, measurement);
    space.recording.entries.push_back({birth->genome, measurement, "exhaustive", {}});
  }
  space.recording = complete(std::move(space.recording));
  return space;
}

TEST(Scoreboard, HasARowForEachStrategyAndSpace) {
  const ScoreboardPlan plan{.strategies = {"random", "genetic"}, .seeds = 30};
  const Scoreboard board = scoreboard({scored(1), scored(2)}, plan);
  ASSERT_EQ(board.rows.size(), 4u);
  ASSERT_EQ(board.standings.size(), 2u);
  EXPECT_EQ(board.standings[0].strategy, "genetic");
  EXPECT_EQ(board.standings[0].wins, 2u);
  for (const ScoreRow& row : board.rows) {
    EXPECT_EQ(row.scores.size(), 30u);
    EXPECT_LE(row.interval.low, row.score);
    EXPECT_GE(row.interval.high, row.score);
    EXPECT_TRUE(std::ranges::is_sorted(row.best_after));
    ASSERT_EQ(row.best_after_intervals.size(), row.best_after.size());
    for (std::size_t m = 0; m < row.best_after.size(); ++m) {
      EXPECT_LE(row.best_after_intervals[m].low, row.best_after[m]);
      EXPECT_GE(row.best_after_intervals[m].high, row.best_after[m]);
    }
    EXPECT_LT(row.best_after_intervals[0].low, row.best_after_intervals[0].high);
    EXPECT_LE(row.evaluations_interval.low, row.evaluations_to_goal.value());
    EXPECT_GE(row.evaluations_interval.high, row.evaluations_to_goal.value());
  }
  EXPECT_EQ(scoreboard_text(board), scoreboard_text(scoreboard({scored(1), scored(2)}, plan)));
}

TEST(Scoreboard, HasIntervalsOfMediansOnThePageAlone) {
  const Scoreboard board = scoreboard({scored(1)}, {.strategies = {"random"}, .seeds = 30});
  const ScoreRow& row = board.rows[0];
  const Interval& fifth = row.best_after_intervals[0];
  const std::string cell =
      fmt::format("{:.3f} [{:.3f}, {:.3f}]", row.best_after[0], fifth.low, fifth.high);
  const std::string to_goal =
      fmt::format("{:.0f} [{:.0f}, ", *row.evaluations_to_goal, row.evaluations_interval.low);
  for (const std::string& shown : {cell, to_goal}) {
    EXPECT_NE(scoreboard_page(board).find(shown), std::string::npos) << shown;
    EXPECT_EQ(scoreboard_text(board).find(shown), std::string::npos) << shown;
  }
}

TEST(Scoreboard, CensorsWhatWasNeverReached) {
  ScoredSpace space = scored(1);
  // One peak that hardly any search finds by its budget.
  for (auto& entry : space.recording.entries)
    entry.measurement.score = std::min(1.0, entry.measurement.score);
  space.recording.entries.back().measurement = measured({10.0});
  for (std::size_t e = 0; e < space.recording.entries.size() / 3; ++e)
    space.recording.entries[e].measurement.score *= 1.5;
  const Scoreboard board =
      scoreboard({space}, {.strategies = {"random"}, .seeds = 20, .marks = {5}});
  EXPECT_EQ(board.rows[0].evaluations_to_goal, std::nullopt);
  EXPECT_LT(board.rows[0].reached, 0.5);
  EXPECT_EQ(board.rows[0].evaluations_interval.high, HUGE_VAL);
  EXPECT_NE(scoreboard_page(board).find("never ["), std::string::npos);
  EXPECT_NE(scoreboard_text(board).find("never"), std::string::npos);
}

TEST(Scoreboard, RefusesATrajectory) {
  ScoredSpace space = scored(1);
  space.recording.recorded = Recorded::trajectory;
  EXPECT_EQ(test::error_text([&] { (void)scoreboard({space}, {.strategies = {"random"}}); }),
            "error: `land1.recording` is a trajectory: a search chose its individuals, most of "
            "them good, so that searches can't be compared on it");
}

}  // namespace
}  // namespace paraiso::tune
