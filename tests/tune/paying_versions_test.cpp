// Which versions are kept, in which order, and why the others are not.
#include "paraiso/tune/versions/paying_versions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paraiso/base/rng.hpp"
#include "paraiso/plan/dispatch/dispatch.hpp"
#include "tests/tune/times_of_versions.hpp"

namespace paraiso::tune {
namespace {

using Kind = Fate::Kind;
constexpr std::size_t kUsual = 2;  // of `small`, `large` and it

std::vector<std::size_t> runs(const PayingVersions& found, const VersionTimes& times) {
  std::vector<std::size_t> versions;
  for (const DataSet& size : times.sizes) versions.push_back(version_at(found, size.values[0]));
  return versions;
}

TEST(PayingVersions, StandInTheOrderOfTheirSizes) {
  const VersionTimes tuned = times({{10, {1, 3, 2}}, {100, {2, 2, 1}}, {1000, {3, 1, 1.5}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{1, kUsual, 0}));
  EXPECT_EQ(found.thresholds, (Configuration{316, 31}));
  EXPECT_EQ(runs(found, tuned), (std::vector<std::size_t>{0, kUsual, 1}));
  const std::tuple<const char*, double> expected[] = {{"10", 2}, {"1000", 1.5}, {"100", 1}};
  for (std::size_t v = 0; v < 3; ++v) {
    const auto& [size, ratio] = expected[v];
    EXPECT_EQ(found.fates[v].kind, Kind::runs);
    EXPECT_EQ(found.fates[v].stretches, (std::vector<SizeRange>{{size, size}}));
    EXPECT_NEAR(found.fates[v].ratio, ratio, 1e-12);
  }
}

TEST(PayingVersions, BelowWhatWasTimedTheNearestGoesOn) {
  const VersionTimes tuned = times({{10, {1, 3, 2}}, {100, {1, 2, 2}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{0, kUsual}));
  EXPECT_EQ(found.thresholds, (Configuration{0}));
  EXPECT_EQ(version_at(found, 1), 0u);
  EXPECT_EQ(found.fates[1].kind, Kind::no_faster);
  EXPECT_EQ(found.fates[kUsual].kind, Kind::stays);
}

/// A size below the smallest judges that.
TEST(PayingVersions, BelowWhatWasTimedASlowerOneDoesNotGoOn) {
  const VersionTimes tuned = times({{10, {1, 3, 2}}, {100, {1, 2, 2}}});
  const PayingVersions found = paying_versions(tuned, times({{7, {2.1, 3, 2}}}), kUsual);
  EXPECT_EQ(found.fates[0].kind, Kind::slower);
  EXPECT_EQ(version_at(found, 7), kUsual);
}

TEST(PayingVersions, OneThatMakesASizeSlowerIsLeftOut) {
  const VersionTimes tuned = times({{10, {1, 3, 2}}, {100, {2, 2, 1}}, {1000, {3, 1, 1.5}}});
  const VersionTimes judged = times({{14, {1, 3, 2}}, {1400, {3, 1.8, 1.5}}});
  const PayingVersions found = paying_versions(tuned, judged, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{kUsual, 0}));
  EXPECT_EQ(found.fates[1].kind, Kind::slower);
  EXPECT_EQ(found.fates[1].size, "1400");
  EXPECT_NEAR(found.fates[1].ratio, 1.2, 1e-12);
}

TEST(PayingVersions, RunOnBothSidesOfASizeAtWhichTheyAreSlower) {
  const VersionTimes tuned = times({{10, {1, 9, 2}}, {100, {1.04, 9, 1}}, {1000, {1, 9, 2}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{0, kUsual, 0}));
  EXPECT_EQ(found.thresholds, (Configuration{316, 31}));
  EXPECT_EQ(runs(found, tuned), (std::vector<std::size_t>{0, kUsual, 0}));
  EXPECT_EQ(found.fates[0].stretches, (std::vector<SizeRange>{{"10", "10"}, {"1000", "1000"}}));
  EXPECT_NEAR(found.fates[0].ratio, 2, 1e-12);
}

/// By one split alone, either the small size or the large one is slower.
TEST(PayingVersions, ThatNeedTwoStretchesAreNamed) {
  const VersionTimes tuned = times({{10, {1, 9, 1.3}}, {100, {1.5, 9, 1}}, {1000, {1, 9, 2}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{0, kUsual, 0}));
  ASSERT_EQ(found.not_monotone.size(), 1u);
  EXPECT_EQ(found.not_monotone[0].guard, 0u);
  EXPECT_EQ(tuned.sizes[found.not_monotone[0].data].name, "10");
  EXPECT_NEAR(found.not_monotone[0].ratio, 1.3, 1e-12);
}

TEST(PayingVersions, OfOneStretchEachAreMonotone) {
  const VersionTimes tuned = times({{10, {1, 3, 2}}, {100, {2, 2, 1}}, {1000, {3, 1, 1.5}}});
  EXPECT_TRUE(paying_versions(tuned, tuned, kUsual).not_monotone.empty());
}

/// The usual one, too: what runs between its stretches is not worth having then.
TEST(PayingVersions, TheUsualOneMayNeedTwoStretches) {
  const VersionTimes tuned = times({{10, {2, 9, 1}}, {100, {1, 9, 1.4}}, {1000, {2, 9, 1}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{kUsual, 0, kUsual}));
  ASSERT_EQ(found.not_monotone.size(), 1u);
  EXPECT_EQ(found.not_monotone[0].guard, 0u);
  EXPECT_EQ(tuned.sizes[found.not_monotone[0].data].name, "100");
  EXPECT_NEAR(found.not_monotone[0].ratio, 1.4, 1e-12);
}

/// Of the seven stretches that would be the best, those that gain most.
TEST(PayingVersions, HaveAsManyGuardsAsAKernelMayHave) {
  const VersionTimes tuned = times({{1, {1, 9, 1.1}},
                                    {2, {2, 9, 1}},
                                    {4, {1, 9, 1.2}},
                                    {8, {2, 9, 1}},
                                    {16, {1, 9, 1.9}},
                                    {32, {2, 9, 1}},
                                    {64, {1, 9, 1.8}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(found.order.size(), plan::kMostVersions);
  EXPECT_EQ(runs(found, tuned),
            (std::vector<std::size_t>{kUsual, kUsual, kUsual, kUsual, 0, kUsual, 0}));
}

TEST(PayingVersions, AreNotChangedForLessThanTwoPerCent) {
  // `small` is faster than `large` at the largest size, by a hundredth.
  const VersionTimes tuned = times({{10, {1, 2, 3}}, {100, {2, 1, 3}}, {1000, {1, 1.01, 3}}});
  EXPECT_EQ(runs(paying_versions(tuned, tuned, kUsual), tuned),
            (std::vector<std::size_t>{0, 1, 1}));
}

TEST(PayingVersions, OneWithoutWhichNextToNothingIsLostIsLeftOut) {
  // `small` is 1 % faster than `large` at each of the sizes at which it would run.
  const VersionTimes tuned = times({{10, {0.99, 1, 2}},
                                    {20, {0.99, 1, 2}},
                                    {40, {0.99, 1, 2}},
                                    {100, {2, 1, 2}},
                                    {1000, {3, 1, 2}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{1, kUsual}));
  EXPECT_EQ(found.fates[0].kind, Kind::no_faster);
  EXPECT_EQ(found.fates[0].size, "10");
  EXPECT_NEAR(found.fates[0].ratio, 1 / 0.99, 1e-12);
}

/// All are as good as each other at the largest size: between it and the one before, where the
/// usual version would be slow, the one before goes on.
TEST(PayingVersions, WhatIsAsGoodGoesOn) {
  const VersionTimes tuned = times({{10, {1, 3, 2}}, {100, {1, 3, 2}}, {1000, {1, 1, 1}}});
  const PayingVersions found = paying_versions(tuned, tuned, kUsual);
  EXPECT_EQ(runs(found, tuned), (std::vector<std::size_t>{0, 0, 0}));
  EXPECT_EQ(version_at(found, 500), 0u);
}

TEST(PayingVersions, NoiseLeavesTheUsualOneAlone) {
  const VersionTimes noisy = times({{10, {0.985, 1.01, 1}}, {100, {1.01, 0.985, 1}}});
  const PayingVersions found = paying_versions(noisy, noisy, kUsual);
  EXPECT_EQ(found.order, (std::vector<std::size_t>{kUsual}));
  EXPECT_TRUE(found.thresholds.empty());
}

/// Whatever the times are: no size of either ladder is slower than that, and the usual one is
/// there.
TEST(PayingVersions, NeverMakeASizeSlower) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::int64_t, std::vector<double>>> rows[2];
    for (std::int64_t s = 0; s < 6; ++s)
      for (auto& ladder : rows)
        ladder.push_back({(1 << s) + (rng.chance(0.1) ? 0 : s),
                          {0.7 + 0.6 * rng.unit(), 0.7 + 0.6 * rng.unit(), 1}});
    const VersionTimes tuned = times(rows[0]), judged = times(rows[1]);
    const PayingVersions found = paying_versions(tuned, judged, kUsual);
    EXPECT_GE(std::ranges::count(found.order, kUsual), 1);
    EXPECT_LE(found.order.size(), plan::kMostVersions);
    EXPECT_EQ(found.thresholds.size() + 1, found.order.size());
    for (const VersionTimes* ladder : {&tuned, &judged})
      for (std::size_t s = 0; s < ladder->sizes.size(); ++s)
        EXPECT_LE(ladder->seconds[s][version_at(found, ladder->sizes[s].values[0])], kSlower);
  }
}

}  // namespace
}  // namespace paraiso::tune
