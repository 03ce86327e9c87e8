// What samples say: their mean and deviation, and when there is no use in more of them.
#include "paraiso/tune/database/measurement.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace paraiso::tune {
namespace {

TEST(Measurement, HasMeanAndSampleDeviation) {
  const Measurement two = measured({1, 3});
  EXPECT_EQ(two.score, 2);
  EXPECT_DOUBLE_EQ(two.deviation, std::sqrt(2.0));
  EXPECT_EQ(measured({5}).deviation, 0);
}

TEST(Measurement, AFewSamplesGiveUpOnlyWhatIsFarBehind) {
  EXPECT_FALSE(cannot_win({}, 100));
  EXPECT_TRUE(cannot_win({33}, 100));
  EXPECT_FALSE(cannot_win({34}, 100));
  EXPECT_TRUE(cannot_win({33, 33, 33, 33}, 100));
  EXPECT_FALSE(cannot_win({90, 90, 90, 90}, 100));
}

TEST(Measurement, ManySamplesGiveUpWhatFourStandardErrorsDoNotLiftToTheBest) {
  EXPECT_TRUE(cannot_win({90, 90, 90, 90, 90}, 100));
  const std::vector<double> spread = {80, 85, 90, 95, 100};  // 90, and four times 3.54
  EXPECT_FALSE(cannot_win(spread, 104));
  EXPECT_TRUE(cannot_win(spread, 104.2));
  EXPECT_FALSE(cannot_win({101, 101, 101, 101, 101}, 100));
}

}  // namespace
}  // namespace paraiso::tune
