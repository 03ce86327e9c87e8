// What ends a run before its end: NaN, signals, the wall time.
#include <signal.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "running.hpp"

namespace paraiso::runtime {
namespace {

class Stops : public Running {};

// --- NaN ---

TEST_F(Stops, ANanIsFoundWithItsStep) {
  options.steps = 50;
  set({"poison=0.5"});
  for (double seconds : {0.0, 1e9}) {
    options.progress_seconds = seconds;
    EXPECT_EQ(complaint(),
              "error: NaN in field `u` at cell (3, 1) after step 5; step 4 was still sound");
  }
}

TEST_F(Stops, ANanKeepsTheLastCheckpoint) {
  options.steps = 3;
  set({"poison=0.5"});
  options.checkpoint = folder / "c";
  go();
  options.steps = 50;
  options.restart = folder / "c";
  options.checkpoint_seconds = 0;
  options.progress_seconds = 0;
  EXPECT_EQ(complaint(),
            "error: NaN in field `u` at cell (3, 1) after step 5; step 4 was still sound\n"
            "hint: the checkpoint `FOLDER/c` is of step 4");
  set({"poison=inf"});
  EXPECT_EQ(read_checkpoint(folder / "c", *instance, {}).step, 4);
}

TEST_F(Stops, ANanInTheInitialStateIsTold) {
  options.steps = 50;
  options.initial = false;
  instance->field("u").set(std::vector<std::int64_t>{2, 3}, om::Constant(std::nan("")));
  EXPECT_EQ(complaint(), "error: NaN in field `u` at cell (2, 3) at step 0, before any other");
}

TEST_F(Stops, ANanThatTheProgramMakesBetweenStepsIsTold) {
  options.until = 50;
  options.between = [](Instance& now, std::int64_t step) {
    if (step == 4) now.set_scalar("time_step", NAN);
    return true;
  };
  EXPECT_EQ(complaint(),
            "error: NaN in field `u` at cell (0, 0), which came between step 0 and step 5\n"
            "note: running these steps again gives no NaN: something between them did");
}

// --- stops ---

TEST_F(Stops, SignalsEndTheRunAfterItsStep) {
  const struct {
    int signal;
    RunEnd end;
  } rows[] = {{SIGINT, RunEnd::interrupt}, {SIGTERM, RunEnd::terminate}};
  for (const auto& row : rows) {
    options.steps = 1000;
    options.checkpoint = folder / "c";
    options.between = [&](Instance&, std::int64_t step) {
      if (step == 3) raise(row.signal);
      return true;
    };
    const auto result = go();
    EXPECT_EQ(result.end, row.end);
    EXPECT_EQ(result.steps, 3);
    EXPECT_EQ(read_checkpoint(folder / "c", *instance, {}).step, 3);
  }
}

TEST_F(Stops, ASecondSignalEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  options.steps = 1000;
  options.between = [](Instance&, std::int64_t) {
    raise(SIGINT);
    raise(SIGINT);
    return true;
  };
  EXPECT_EXIT(go(), testing::KilledBySignal(SIGINT), "");
}

/// As Slurm sends them at a time limit.
TEST_F(Stops, SigtermsTogetherAreOne) {
  options.steps = 1000;
  options.between = [](Instance&, std::int64_t) {
    raise(SIGTERM);
    raise(SIGTERM);
    return true;
  };
  EXPECT_EQ(go().end, RunEnd::terminate);
}

TEST_F(Stops, SignalHandlersAreTheCallersAgainAfterwards) {
  struct sigaction mine = {}, after = {};
  mine.sa_handler = SIG_IGN;
  sigaction(SIGTERM, &mine, nullptr);
  options.steps = 1;
  go();
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  mine.sa_handler = SIG_DFL;
  sigaction(SIGTERM, &mine, nullptr);
}

TEST_F(Stops, TheWallTimeEndsTheRun) {
  options.steps = 1000000;
  options.wall_time = 0.05;
  options.checkpoint = folder / "c";
  options.between = [](Instance&, std::int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return true;
  };
  const auto result = go();
  EXPECT_EQ(result.end, RunEnd::wall_time);
  EXPECT_LT(result.steps, 10);
  EXPECT_EQ(read_checkpoint(folder / "c", *instance, {}).step, result.steps);
}

}  // namespace
}  // namespace paraiso::runtime
