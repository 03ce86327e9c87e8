// Sizes that are added around thresholds, on planted timers.
#include "paraiso/tune/versions/narrow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/tune/times_of_versions.hpp"

namespace paraiso::tune {
namespace {

const GuardTree kOne{{"large", {}}};

/// A program of two versions, `large` and the base, that are equally fast at `crossing`; their
/// times differ as the size does.
struct Planted {
  double crossing;
  double steep = 1;
  int timed = 0;

  VersionTimes at(const std::vector<std::int64_t>& sizes) {
    std::vector<std::pair<std::int64_t, std::vector<double>>> rows;
    for (const std::int64_t size : sizes) {
      ++timed;
      rows.push_back({size, {1, std::pow(static_cast<double>(size) / crossing, steep)}});
    }
    return times(rows);
  }
};

struct Narrowed {
  std::vector<Between> between;
  VersionTimes tuned;
  std::int64_t threshold = 0;
};

Narrowed narrowed(Planted& planted, const std::vector<std::int64_t>& ladder) {
  Narrowed found;
  found.tuned = planted.at(ladder);
  const auto choose = [&](const VersionTimes& tuned) {
    const auto chosen = choose_thresholds(kOne, tuned, tuned, 1);
    found.threshold = chosen.thresholds[0];
    return SplitSizes{{{0, found.threshold}}, versions_of(kOne, chosen.thresholds, tuned.sizes)};
  };
  found.between = narrow_splits(
      found.tuned, choose,
      [&](const std::string& below, const std::string& above) -> std::optional<VersionTimes> {
        const std::int64_t middle = std::llround(std::sqrt(std::stod(below) * std::stod(above)));
        if (std::to_string(middle) == below || std::to_string(middle) == above) return std::nullopt;
        return planted.at({middle});
      });
  return found;
}

TEST(Narrow, AddsSizesUntilTheGapIsBelowTenPerCent) {
  for (const double crossing : {1100.0, 1500.0, 1700.0, 1990.0}) {
    Planted planted{crossing};
    const Narrowed found = narrowed(planted, {250, 500, 1000, 2000, 4000});
    ASSERT_EQ(found.between.size(), 1u);
    const double below = std::stod(found.between[0].below),
                 above = std::stod(found.between[0].above);
    const double least = crossing / (1 - kPays);  // from where on `large` counts as faster
    EXPECT_LT(below, least);
    EXPECT_LE(least, above);
    EXPECT_LT(above, 1.1 * below);
    EXPECT_EQ(found.between[0].added, 3);  // 2^(1/8) is less than 1.1
    EXPECT_EQ(planted.timed, 5 + 3);
    EXPECT_EQ(found.tuned.sizes.size(), 8u);
    EXPECT_LT(below, static_cast<double>(found.threshold));
    EXPECT_LE(static_cast<double>(found.threshold), above);
    EXPECT_TRUE(std::ranges::is_sorted(found.tuned.sizes, {},
                                       [](const DataSet& one) { return one.values[0]; }));
  }
}

TEST(Narrow, AddsNoMoreThanFour) {
  Planted planted{1000};
  EXPECT_EQ(narrowed(planted, {1, 1000000}).between[0].added, kMostAdded);
}

TEST(Narrow, AddsNoneWhereVersionsAreAlike) {
  Planted planted{1400, 0.05};  // within 2 % at 1000 and 2000
  EXPECT_EQ(narrowed(planted, {1000, 2000}).between[0].added, 0);
}

TEST(Narrow, AddsNoneBeyondTheLadder) {
  Planted planted{1e9};  // the base is always better
  const Narrowed found = narrowed(planted, {1000, 2000});
  EXPECT_EQ(found.between[0], (Between{"2000", "", 0}));
}

TEST(Narrow, AddsNoneBetweenNeighbours) {
  Planted planted{2.5};
  EXPECT_EQ(narrowed(planted, {2, 3}).between[0], (Between{"2", "3", 0}));
}

}  // namespace
}  // namespace paraiso::tune
