// A size of the second ladder that is tuned on after all, on planted times.
#include "paraiso/tune/versions/take_in.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/tune/times_of_versions.hpp"

namespace paraiso::tune {
namespace {

std::vector<std::string> names(const VersionTimes& times) {
  std::vector<std::string> names;
  for (const DataSet& size : times.sizes) names.push_back(size.name);
  return names;
}

std::optional<VersionTimes> midway(const std::string& below, const std::string& above) {
  const std::int64_t middle = std::llround(std::sqrt(std::stod(below) * std::stod(above)));
  if (std::to_string(middle) == below || std::to_string(middle) == above) return std::nullopt;
  return times({{middle, {1, 0.5}}});
}

using Names = std::vector<std::string>;

struct PlantedLadders {
  VersionTimes tuned = times({{10, {1, 1}}, {20, {2, 2}}, {40, {4, 4}}});
  VersionTimes judged = times({{14, {3, 1}}, {28, {5, 6}}});
};

TEST(TakeIn, SizesOnBothSidesJudgeInItsPlace) {
  PlantedLadders ladders;
  take_in(ladders.tuned, ladders.judged, "28", midway);
  EXPECT_EQ(names(ladders.tuned), (Names{"10", "20", "28", "40"}));
  EXPECT_EQ(ladders.tuned.seconds[2], (std::vector<double>{5, 6}));
  EXPECT_EQ(names(ladders.judged), (Names{"14", "24", "33"}));
  EXPECT_EQ(ladders.judged.seconds[0], (std::vector<double>{3, 1}));
  EXPECT_EQ(ladders.judged.seconds[1], (std::vector<double>{1, 0.5}));
}

TEST(TakeIn, BelowOrAboveAllOthersThereIsOneSide) {
  PlantedLadders ladders;
  ladders.judged = times({{5, {1, 1}}, {80, {1, 1}}});
  take_in(ladders.tuned, ladders.judged, "5", midway);
  take_in(ladders.tuned, ladders.judged, "80", midway);
  EXPECT_EQ(names(ladders.tuned), (Names{"5", "10", "20", "40", "80"}));
  EXPECT_EQ(names(ladders.judged), (Names{"7", "57"}));
}

TEST(TakeIn, WhereThereIsNoSizeBetweenNoneJudges) {
  PlantedLadders ladders;
  ladders.tuned = times({{10, {1, 1}}, {12, {1, 1}}});
  ladders.judged = times({{11, {1, 1}}});
  take_in(ladders.tuned, ladders.judged, "11", midway);
  EXPECT_EQ(names(ladders.tuned), (Names{"10", "11", "12"}));
  EXPECT_TRUE(ladders.judged.sizes.empty());
}

}  // namespace
}  // namespace paraiso::tune
