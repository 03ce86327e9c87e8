// The sizes that are tuned on, and those that judge: no size is among both, whatever is added.
#include "paraiso/tune/versions/ladder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "paraiso/base/extents.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/tune/versions/narrow.hpp"
#include "paraiso/tune/versions/take_in.hpp"
#include "tests/tune/times_of_versions.hpp"

namespace paraiso::tune {
namespace {

using LadderSizes = std::vector<LadderSize>;

TEST(Ladder, HalvesTheCellsAndIsJudgedBetween) {
  const Ladders made = ladders({{64, 32}, 3});
  EXPECT_EQ(made.tuned, (LadderSizes{{32, 16}, {45, 23}, {64, 32}}));
  EXPECT_EQ(made.judged, (LadderSizes{{27, 13}, {38, 19}, {54, 27}}));
  EXPECT_EQ(ladders({{64, 64, 64}, 3, 2}).tuned,
            (LadderSizes{{51, 51, 51}, {57, 57, 57}, {64, 64, 64}}));
}

TEST(Ladder, OfShapesHasAsManyCells) {
  const Ladders made = ladders({{256, 3, 8}, 3, 1, true});
  EXPECT_EQ(made.tuned, (LadderSizes{{64, 3, 32}, {128, 3, 16}, {256, 3, 8}}));
  EXPECT_EQ(made.judged, (LadderSizes{{45, 3, 46}, {91, 3, 23}, {181, 3, 11}}));
}

TEST(Ladder, OfSmallGridsHasFewerSizes) {
  EXPECT_EQ(ladders({{4}, 6}).tuned, (LadderSizes{{1}, {2}, {4}}));
  EXPECT_EQ(ladders({{4}, 6}).judged, (LadderSizes{{3}}));
  EXPECT_TRUE(ladders({{1, 1}, 6}).judged.empty());
}

TEST(Ladder, HasSizesBetweenThatAreNotTaken) {
  const Rungs rungs{{4096}, 3};
  EXPECT_EQ(size_between(rungs, {1024}, {2048}, {}), LadderSize{1448});
  EXPECT_EQ(size_between(rungs, {1024}, {2048}, {{1448}}), LadderSize{1328});
  EXPECT_EQ(size_between(rungs, {1024}, {2048}, {{1448}, {1328}}), LadderSize{1579});
  EXPECT_EQ(size_between(rungs, {2}, {4}, {{3}}), std::nullopt);
  EXPECT_EQ(size_between(rungs, {7}, {8}, {}), std::nullopt);
  // Rows as long as those of a shape that judges are no others.
  const Rungs shapes{{64, 30}, 3, 1, true};
  EXPECT_EQ(size_between(shapes, {32, 60}, {64, 30}, {{45, 43}}), (LadderSize{41, 47}));
}

/// Two versions, whose times at a size have no order.
class GrowingLadders {
 public:
  GrowingLadders(const Rungs& rungs, std::uint64_t seed) : rungs_(rungs), rng_(seed) {
    const auto [tuned_on, judging] = ladders(rungs);
    for (const LadderSize& size : tuned_on) add(tuned, size);
    for (const LadderSize& size : judging) add(judged, size);
  }

  /// What `thresholds` adds around each split, and what it tunes on after all.
  void narrow_and_take_in() {
    const auto time_midway = [&](const std::string& below, const std::string& above) {
      LadderSizes taken;
      for (const VersionTimes* ladder : {&tuned, &judged})
        for (const DataSet& size : ladder->sizes) taken.push_back(extents_of(size.name));
      const auto size = size_between(rungs_, extents_of(below), extents_of(above), taken);
      std::optional<VersionTimes> more;
      if (size) add(more.emplace(), *size);
      return more;
    };
    const auto choose = [](const VersionTimes& times) {
      const auto middle = static_cast<std::ptrdiff_t>(times.sizes.size() / 2);
      SplitSizes chosen{{{0, times.sizes[static_cast<std::size_t>(middle)].values[0]}}, {}};
      chosen.versions.assign(times.sizes.size(), 0);
      std::fill_n(chosen.versions.begin(), middle, 1);
      return chosen;
    };
    for (const Between& one : narrow_splits(tuned, choose, time_midway)) added += one.added;
    for (int taken_in = 0; taken_in < 3 && judged.sizes.size() > 1; ++taken_in) {
      const auto last = static_cast<std::int64_t>(judged.sizes.size()) - 1;
      const std::string name = judged.sizes[static_cast<std::size_t>(rng_.between(0, last))].name;
      take_in(tuned, judged, name, time_midway);
    }
  }

  /// Of both ladders.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const VersionTimes* ladder : {&tuned, &judged})
      for (const DataSet& size : ladder->sizes) names.push_back(size.name);
    std::ranges::sort(names);
    return names;
  }

  VersionTimes tuned, judged;
  int added = 0;

 private:
  void add(VersionTimes& times, const LadderSize& size) {
    std::string name;
    std::int64_t value = rungs_.shapes ? size.front() : 1;
    for (const std::int64_t length : size) {
      name += (name.empty() ? "" : "x") + std::to_string(length);
      if (!rungs_.shapes) value *= length;
    }
    const DataSet data{name, {value}};
    const auto place = std::ranges::lower_bound(times.sizes, value, {},
                                                [](const DataSet& one) { return one.values[0]; });
    times.insert(place - times.sizes.begin(), data, {0.5 + rng_.unit(), 0.5 + rng_.unit()});
  }

  Rungs rungs_;
  Rng rng_;
};

TEST(Ladder, SharesNoSizeWithTheOtherWhateverIsAdded) {
  const std::vector<Rungs> all = {{{4096, 4096}, 18},
                                  {{2048, 2048}, 18},
                                  {{64, 32}, 3},
                                  {{2000}, 3},
                                  {{512, 512, 512}, 16},
                                  {{9, 9}, 16},
                                  {{65536, 1}, 11, 1, true},
                                  {{65536, 1}, 21, 2, true},
                                  {{16384, 1}, 11, 1, true},
                                  {{256, 8}, 3, 1, true},
                                  {{300, 7, 11}, 12, 3, true},
                                  {{40, 3}, 40, 8}};
  int added = 0;
  for (const Rungs& rungs : all)
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      GrowingLadders planted(rungs, seed);
      SCOPED_TRACE(planted.names().back());
      for (int round = 0; round < 3; ++round) {
        planted.narrow_and_take_in();
        const auto names = planted.names();
        ASSERT_EQ(std::ranges::adjacent_find(names), names.end()) << "is there twice";
      }
      added += planted.added;
    }
  EXPECT_GT(added, 500);
}

}  // namespace
}  // namespace paraiso::tune
