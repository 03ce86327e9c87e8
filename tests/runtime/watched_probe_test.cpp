// When a sample is taken again, and when the machine counts as busy: of a machine that only
// pretends to run other programs.
#include "paraiso/runtime/calibrate/watched_probe.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

namespace paraiso::runtime {
namespace {

/// Each try takes some time, measures the next rate, and waits for a processor as long as is said,
/// in what may be lost.
class Pretended {
 public:
  struct Try {
    double rate;
    double waits;
  };

  explicit Pretended(std::vector<Try> tries, double seconds = 0.01)
      : tries_(std::move(tries)), seconds_(seconds) {}

  WatchedProbe probe() {
    const auto sample = [this](const char*, double, int threads) {
      const Try& now = tries_.at(taken_++);
      waited_ += now.waits * WatchedProbe::kLostPart * threads * seconds_;
      clock_ += seconds_;
      return now.rate;
    };
    return {sample, {[this] { return waited_; }, [this] { return clock_; }}};
  }
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  std::vector<Try> tries_;
  double seconds_, clock_ = 100;
  double waited_ = 7;  // before it began
  std::size_t taken_ = 0;
};

/// One that this process may use.
int any_processor() {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof(allowed), &allowed);
  int processor = 0;
  while (!CPU_ISSET(processor, &allowed)) ++processor;
  return processor;
}

TEST(WatchedProbe, TakesASampleOnceWhereNothingElseRuns) {
  Pretended machine({{5, 0}, {9, 0}});
  WatchedProbe probe = machine.probe();
  EXPECT_EQ(probe("add", 0, 2), 5);
  EXPECT_EQ(machine.taken(), 1U);
  EXPECT_FALSE(probe.busy());
}

TEST(WatchedProbe, TakesADisturbedSampleAgainAndKeepsTheFaster) {
  Pretended slower({{3, 4}, {5, 0}}), faster({{5, 2}, {3, 0}});
  WatchedProbe first = slower.probe(), second = faster.probe();
  EXPECT_EQ(first("add", 0, 2), 5);
  EXPECT_EQ(second("add", 0, 2), 5);
  EXPECT_EQ(slower.taken(), 2U);
  EXPECT_EQ(faster.taken(), 2U);
  EXPECT_FALSE(first.busy());
}

/// The system's own work takes a moment now and then.
TEST(WatchedProbe, ALittleLostTimeIsNoDisturbance) {
  Pretended machine({{5, 0.9}, {9, 0}});
  WatchedProbe probe = machine.probe();
  EXPECT_EQ(probe("add", 0, 2), 5);
  EXPECT_EQ(machine.taken(), 1U);
  EXPECT_FALSE(probe.busy());
}

TEST(WatchedProbe, GivesUpAfterAFewTries) {
  Pretended machine({{3, 2}, {5, 2}, {4, 2}, {9, 0}});
  WatchedProbe probe = machine.probe();
  EXPECT_EQ(probe("add", 0, 2), 5);
  EXPECT_EQ(machine.taken(), std::size_t{WatchedProbe::kMostTries});
  EXPECT_TRUE(probe.busy());
}

/// Of long samples fewer are repeated: the user waits.
TEST(WatchedProbe, RepeatsForALimitedTime) {
  Pretended machine(std::vector<Pretended::Try>(9, {1, 2}), 0.75 * WatchedProbe::kMostSeconds);
  WatchedProbe probe = machine.probe();
  for (int sample = 0; sample < 4; ++sample) (void)probe("copy", 1e9, 2);
  EXPECT_EQ(machine.taken(), 3U + 3U);  // the first sample thrice, the others once
}

/// A sample that was disturbed in all of its tries says little if the others were not.
TEST(WatchedProbe, ASmallPartOfDisturbedSamplesMakesNoMachineBusy) {
  std::vector<Pretended::Try> tries(3, {1, 2});
  tries.resize(3 + 4, {1, 0});
  tries.resize(3 + 4 + 2 * 3, {1, 2});
  Pretended machine(tries);
  WatchedProbe probe = machine.probe();
  (void)probe("add", 0, 2);
  EXPECT_TRUE(probe.busy());
  for (int sample = 0; sample < 4; ++sample) (void)probe("add", 0, 2);
  EXPECT_FALSE(probe.busy());  // one of five
  for (int sample = 0; sample < 2; ++sample) (void)probe("add", 0, 2);
  EXPECT_TRUE(probe.busy());  // three of seven
}

/// Of two threads that want one processor, one waits at each moment.
TEST(WatchedProbe, SeesThatAThreadOfThisProcessWaited) {
  const Watch watch = this_process();
  const double before = watch.waited(), start = watch.seconds();
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(any_processor(), &first);
  std::atomic<double> waited = 0;
  const auto wait = [&] {
    sched_setaffinity(0, sizeof(first), &first);
    while (watch.seconds() < start + 0.2) {
    }
    waited = watch.waited() - before;
  };
  std::thread one(wait), other(wait);
  one.join();
  other.join();
  EXPECT_GT(waited, 0.05);
}

}  // namespace
}  // namespace paraiso::runtime
