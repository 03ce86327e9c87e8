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
  ASSERT_EQ(all.size(), 9u);
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
  EXPECT_LE(monotone.found, monotone.runs);
  for (const TunerTrial& old : named("old")) {
    EXPECT_EQ(old.tries, 400);
    EXPECT_EQ(old.runs, 4 * 400);
    EXPECT_GE(old.cost, 4);
  }
  for (const TunerTrial& final : named("final")) EXPECT_GE(final.cost, 4);
  EXPECT_EQ(named("old").size(), 3u);
  EXPECT_EQ(named("final").size(), 3u);
}

}  // namespace
}  // namespace paraiso::tune
