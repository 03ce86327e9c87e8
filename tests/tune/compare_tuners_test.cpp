// The tuners of thresholds beside each other on a planted table.
#include "paraiso/tune/versions/compare_tuners.hpp"

#include <gtest/gtest.h>

#include "tests/tune/times_of_versions.hpp"

namespace paraiso::tune {
namespace {

const GuardTree kTwo{{"large", {}}, {"middle", {{0, false}}}};

TEST(CompareTuners, CountsWhatEachAsksFor) {
  // The best of all costs 4; `middle` at the first size takes too long and is stopped.
  const VersionTimes planted =
      times({{10, {2, 90, 1}}, {100, {2, 1, 3}}, {1000, {1, 2, 4}}, {10000, {1, 2, 5}}});
  const auto all = compare_tuners(kTwo, planted, 2, {1, 2, 3}, 400);
  ASSERT_EQ(all.size(), 10u);
  const auto named = [&](const std::string& name) {
    std::vector<TunerTrial> found;
    for (const TunerTrial& run : all)
      if (run.tuner == name) found.push_back(run);
    return found;
  };
  const TunerTrial comparison = named("comparison").at(0), branch = named("branch").at(0),
                   monotone = named("monotone").at(0);
  EXPECT_EQ(comparison.tries, 25);                  // (4 + 1)^2
  EXPECT_EQ(branch.tries + branch.eliminated, 15);  // of 4 sizes over 3 versions: C(6, 2)
  EXPECT_GT(branch.eliminated, 0);
  for (const TunerTrial& exact : {comparison, branch, monotone}) EXPECT_EQ(exact.cost, 4);
  EXPECT_EQ(comparison.runs, 12);  // each version of each size, once
  EXPECT_EQ(comparison.seconds, 93 + 6 + 7 + 8);
  EXPECT_LT(branch.seconds, comparison.seconds);  // 6 of the 90 seconds
  EXPECT_LT(monotone.runs, comparison.runs);
  EXPECT_EQ(monotone.runs, monotone.tries);  // what it ends with needs no runs of its own
  EXPECT_LE(monotone.found, monotone.runs);
  for (const TunerTrial& old : named("old")) {
    EXPECT_EQ(old.tries, 400);
    EXPECT_EQ(old.runs, 4 * 400);
    EXPECT_GE(old.cost, 4);
  }
  for (const TunerTrial& final : named("final")) EXPECT_GE(final.cost, 4);
  const TunerTrial checked = named("checked").at(0);
  EXPECT_EQ(checked.cost, 4);
  EXPECT_GT(checked.runs, monotone.runs);
  for (const TunerTrial& run : all) EXPECT_TRUE(run.not_monotone.empty()) << run.tuner;
  EXPECT_EQ(named("old").size(), 3u);
  EXPECT_EQ(named("final").size(), 3u);
}

TEST(CompareTuners, OneTellsWhereTimesAreNotMonotone) {
  const GuardTree one{{"large", {}}};
  const VersionTimes planted =
      times({{10, {1, 1.5}}, {100, {2, 1}}, {1000, {9, 3}}, {9000, {4, 9}}});
  for (const TunerTrial& run : compare_tuners(one, planted, 1, {1}, 10)) {
    if (run.tuner != "checked") {
      EXPECT_TRUE(run.not_monotone.empty()) << run.tuner;
      continue;
    }
    ASSERT_EQ(run.not_monotone.size(), 1u);
    EXPECT_EQ(run.not_monotone[0].guard, 0u);
    EXPECT_EQ(planted.sizes[run.not_monotone[0].data].name, "10");
    EXPECT_EQ(run.not_monotone[0].ratio, 1.5);
    EXPECT_EQ(run.cost, 1.5 + 1 + 3 + 4);
  }
}

}  // namespace
}  // namespace paraiso::tune
