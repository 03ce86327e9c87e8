#include "paraiso/tune/evaluate/progress_line.hpp"

#include <gtest/gtest.h>

namespace paraiso::tune {
namespace {

TuningProgress some() {
  TuningProgress progress;
  progress.measured = 40;
  progress.seconds = 120;
  progress.best = 66e6, progress.start = 60e6, progress.start_name = "the default";
  progress.births = {{"mutation", 30}, {"start", 1}, {"crossover", 9}};
  return progress;
}

TEST(LiveLine, TellsWhatWasFoundAndHow) {
  EXPECT_EQ(progress_line(some()),
            "40 individuals | best 66 M cells/s, 1.100 times the default | born: 9 crossover, 30 "
            "mutation, 1 start");
}

TEST(LiveLine, TellsTheTimeLeftFromTheMeanTimeOfAnIndividual) {
  TuningProgress progress = some();
  progress.budget = 200;
  EXPECT_TRUE(
      progress_line(progress).starts_with("40 of 200 individuals | 8 min 00 s left | best "));
  progress.seconds_allowed = 300;
  EXPECT_TRUE(
      progress_line(progress).starts_with("40 of 200 individuals | 3 min 00 s left | best "));
  progress.budget = 41;
  EXPECT_TRUE(progress_line(progress).starts_with("40 of 41 individuals | 3 s left | best "));
}

TEST(LiveLine, TellsTheMinutesLeft) {
  TuningProgress progress = some();
  progress.seconds_allowed = 300;
  EXPECT_TRUE(progress_line(progress).starts_with("40 individuals | 3 min 00 s left | best "));
  progress.seconds = 301;
  EXPECT_TRUE(progress_line(progress).starts_with("40 individuals | 0 s left | best "));
}

TEST(LiveLine, BeforeAnythingSucceededTellsTheFailures) {
  TuningProgress progress;
  progress.budget = 10, progress.measured = 2, progress.seconds = 4;
  progress.births = {{"random", 1}, {"start", 1}};
  progress.failures = {{"it was ended by signal N", 2}};
  EXPECT_EQ(progress_line(progress),
            "2 of 10 individuals | 16 s left | born: 1 random, 1 start | failed: 2 it was ended by "
            "signal N");
}

TEST(LiveLine, OfTheFirstIndividualNothingIsKnown) {
  TuningProgress progress;
  progress.budget = 10;
  EXPECT_EQ(progress_line(progress), "0 of 10 individuals");
}

}  // namespace
}  // namespace paraiso::tune
