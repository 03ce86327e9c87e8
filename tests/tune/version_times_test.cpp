// Thresholds from a table of times, and what they are worth on sizes that were not tuned on.
#include "paraiso/tune/versions/version_times.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "paraiso/base/rng.hpp"
#include "tests/tune/times_of_versions.hpp"

namespace paraiso::tune {
namespace {

const GuardTree kTwo{{"large", {}}, {"middle", {{0, false}}}};
constexpr std::size_t kBase = 2;  // of `large`, `middle` and it

const VersionTimes kTuned = times({{10, {3, 2, 1}}, {100, {2, 1, 1.5}}, {1000, {1, 1.2, 2}}});

TEST(VersionTimes, GiveTheSplitAndWhatItIsWorth) {
  const VersionTimes judged = times({{14, {3, 2, 1}}, {140, {2, 1, 1.5}}, {1400, {1, 1.2, 2}}});
  const ChosenThresholds chosen = choose_thresholds(kTwo, kTuned, judged, kBase);
  EXPECT_TRUE(chosen.exhaustive);
  EXPECT_TRUE(chosen.dropped.empty());
  EXPECT_TRUE(chosen.not_monotone.empty());
  EXPECT_EQ(chosen.thresholds, (Configuration{316, 31}));
  const auto runs = versions_of(kTwo, chosen.thresholds, judged.sizes);
  EXPECT_EQ(runs, (std::vector<std::size_t>{2, 1, 0}));
  const Verdict verdict = judge(kTuned, judged, runs, kBase);
  EXPECT_EQ(verdict.best_single, 1u);
  EXPECT_NEAR(verdict.gain, std::cbrt(2 * 1 * 1.2), 1e-12);
  EXPECT_NEAR(verdict.gain_usual, std::cbrt(1 * 1.5 * 2), 1e-12);
  EXPECT_EQ(verdict.worst, 1);
  EXPECT_EQ(verdict.worst_size, 0u);
}

TEST(VersionTimes, DropAVersionThatMakesASizeSlower) {
  // Between the sizes that were tuned on, `middle` is slower than the base.
  const VersionTimes judged = times({{14, {3, 2, 1}}, {140, {2, 1.6, 1.5}}, {1400, {1, 1.2, 2}}});
  const ChosenThresholds chosen = choose_thresholds(kTwo, kTuned, judged, kBase);
  EXPECT_EQ(chosen.dropped, (std::vector<std::size_t>{1}));
  EXPECT_EQ(chosen.thresholds[1], INT64_MAX);
  const auto runs = versions_of(kTwo, chosen.thresholds, judged.sizes);
  EXPECT_EQ(runs, (std::vector<std::size_t>{2, 2, 0}));
  EXPECT_LE(judge(kTuned, judged, runs, kBase).worst, 1.03);
}

/// Guards that compare different values: whatever a grid's shape is, what was dropped does not run.
TEST(VersionTimes, WhatIsDroppedRunsNowhere) {
  const VersionTimes tuned{{{"a", {10, 100}}, {"b", {20, 400}}}, {{9, 1, 1.5}, {1, 9, 1.5}}};
  const VersionTimes judged{{{"c", {10, 1000}}}, {{2, 2, 1}}};
  const ChosenThresholds chosen = choose_thresholds(kTwo, tuned, judged, kBase);
  EXPECT_EQ(chosen.dropped, (std::vector<std::size_t>{1}));
  EXPECT_EQ(chosen.thresholds[1], INT64_MAX);
  EXPECT_EQ(versions_of(kTwo, chosen.thresholds, judged.sizes), (std::vector<std::size_t>{kBase}));
}

/// The gain is over the best one that was timed, though it may run nowhere.
TEST(VersionTimes, TheBestSingleOneNeedNotRun) {
  const VersionTimes tuned = times({{10, {0.8, 0.815, 1}}, {100, {1.05, 1, 1}}});
  const Verdict verdict = judge(tuned, tuned, {0, kBase}, kBase);
  EXPECT_EQ(verdict.best_single, 1u);
  EXPECT_NEAR(verdict.gain, std::sqrt(0.815 / 0.8), 1e-12);
}

TEST(VersionTimes, NoSizeThatWasTunedOnMayBeSlower) {
  // At 100 `large` is slower; at all sizes together it would be worth that.
  const VersionTimes planted = times({{10, {0.5, 9, 1}}, {100, {1.2, 9, 1}}, {1000, {0.5, 9, 1}}});
  const ChosenThresholds chosen = choose_thresholds(kTwo, planted, planted, kBase);
  EXPECT_TRUE(chosen.dropped.empty());
  EXPECT_EQ(versions_of(kTwo, chosen.thresholds, planted.sizes),
            (std::vector<std::size_t>{kBase, kBase, 0}));
}

/// Whatever the times are, of few paths and of more than are all tried.
TEST(VersionTimes, NoSizeOfEitherLadderIsSlower) {
  Rng rng(5);
  for (int round = 0; round < 100; ++round) {
    VersionTimes ladders[2];
    const std::int64_t sizes = round % 4 == 0 ? 160 : 7;
    for (VersionTimes& ladder : ladders)
      for (std::int64_t s = 1; s <= sizes; ++s) {
        const std::int64_t value = s - (rng.chance(0.1) ? 1 : 0);
        ladder.sizes.push_back({std::to_string(s), {value, value}});
        ladder.seconds.push_back({0.7 + 0.6 * rng.unit(), 0.7 + 0.6 * rng.unit(), 1});
      }
    const std::size_t usual = static_cast<std::size_t>(round) % 3;
    const auto chosen = choose_thresholds(kTwo, ladders[0], ladders[1], usual);
    EXPECT_EQ(chosen.exhaustive, sizes == 7);
    for (const VersionTimes& ladder : ladders) {
      const auto versions = versions_of(kTwo, chosen.thresholds, ladder.sizes);
      for (std::size_t s = 0; s < versions.size(); ++s)
        EXPECT_LE(ladder.seconds[s][versions[s]], kSlower * ladder.seconds[s][usual]);
    }
  }
}

TEST(VersionTimes, NoiseIsNoReasonForAnotherVersion) {
  const VersionTimes noisy =
      times({{10, {0.99, 1.01, 1}}, {100, {1.01, 0.985, 1}}, {1000, {1, 1.015, 1}}});
  const ChosenThresholds chosen = choose_thresholds(kTwo, noisy, noisy, kBase);
  EXPECT_EQ(versions_of(kTwo, chosen.thresholds, noisy.sizes),
            (std::vector<std::size_t>(3, kBase)));
}

TEST(VersionTimes, WarnOfASizeThatNoSplitServes) {
  // In a cache `large` is better at one size, too: it is better above and below, not between.
  const VersionTimes planted =
      times({{10, {1, 9, 1.3}}, {100, {1.5, 9, 1}}, {1000, {1.5, 9, 1}}, {10000, {1, 9, 2}}});
  const auto found = choose_thresholds(kTwo, planted, planted, kBase).not_monotone;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(not_monotone_text(found[0], "heat.proceed.large", "state_bytes", planted),
            "not monotone in state_bytes: one split by `heat.proceed.large` makes 10 take 1.30 "
            "times as long");
  EXPECT_EQ(not_monotone_text(found[0], "heat.proceed.large", "", planted),
            "not monotone: one split by `heat.proceed.large` makes 10 take 1.30 times as long");
}

/// The base up to 11, `middle` up to 30, `large` above.
VersionTimes times_up_to(std::int64_t last) {
  VersionTimes many;
  for (std::int64_t value = 1; value <= last; ++value) {
    many.sizes.push_back({std::to_string(value), {value, value}});
    many.seconds.push_back(value > 30   ? std::vector<double>{1, 2, 3}
                           : value > 11 ? std::vector<double>{2, 1, 2}
                                        : std::vector<double>{3, 2, 1});
  }
  return many;
}

TEST(VersionTimes, OfMorePathsThanAFewAreSplitThresholdByThreshold) {
  const auto chosen = [](std::int64_t last) {
    return choose_thresholds(kTwo, times_up_to(last), times_up_to(last), kBase);
  };
  EXPECT_EQ(chosen(40).thresholds, (Configuration{31, 12}));
  EXPECT_FALSE(chosen(40).exhaustive);
  EXPECT_FALSE(chosen(10).exhaustive);  // of 10 sizes over 3 versions: C(12, 2) paths
  EXPECT_TRUE(chosen(9).exhaustive);    // C(11, 2)
}

TEST(VersionTimes, ThatAreNotMonotoneHaveAllPathsTried) {
  // Version by version from the last on, `middle` loses what `large` takes from it later.
  VersionTimes many = times_up_to(40);
  for (std::size_t s = 0; s < 6; ++s) many.seconds[s] = {0.5, 1.5, 1};
  const ChosenThresholds chosen = choose_thresholds(kTwo, many, many, kBase);
  EXPECT_TRUE(chosen.exhaustive);
  EXPECT_FALSE(chosen.not_monotone.empty());
  const std::vector<std::size_t> versions = versions_of(kTwo, chosen.thresholds, many.sizes);
  double ours = 0, monotone = 0;
  for (std::size_t s = 0; s < versions.size(); ++s) {
    ours += many.seconds[s][versions[s]] / many.seconds[s][kBase];
    const std::size_t split = s >= 30 ? 0 : s >= 11 ? 1 : kBase;
    monotone += many.seconds[s][split] / many.seconds[s][kBase];
  }
  EXPECT_LE(ours, monotone);
}

TEST(VersionTimes, StandBesideTheFastestOfEachSize) {
  const VersionTimes all =
      times({{10, {3, 2, 1}}, {100, {2, 1, 1.5}}, {1000, {1, 1.2, 2}}, {14, {3, 2, 4}}});
  const BesideFastest found = beside_fastest(all, {2, 2, 1, 0});
  EXPECT_NEAR(found.mean, std::pow(1 * 1.5 * 1.2 * 1.5, 0.25), 1e-12);
  EXPECT_EQ(found.worst, 1.5);
  EXPECT_EQ(found.size, "100");
}

}  // namespace
}  // namespace paraiso::tune
