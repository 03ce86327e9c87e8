#include "paraiso/runtime/run/progress.hpp"

#include "machines.hpp"
#include "paraiso/runtime/output/series.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

TEST(Progress, TheLine) {
  ProgressState state;
  state.step = 1234;
  EXPECT_EQ(progress_line(state), "step 1234 | 0 cells/s");
  state.time = 0.25;
  state.time_step = 1.25e-4;
  state.cell_updates_per_second = 12.34e6;
  state.remaining_seconds = 200;
  EXPECT_EQ(progress_line(state),
            "step 1234 | time 0.25 | dt 0.000125 | 12.3 M cells/s | 3 min 20 s left");
}

TEST(Progress, TextsOfDurationsAndSpeeds) {
  EXPECT_EQ(duration_text(0.2), "0 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(2 * 3600 + 5 * 60), "2 h 05 min");
  EXPECT_EQ(duration_text(86400 * 3 + 3600), "3 days 1 h");
  EXPECT_EQ(duration_text(1.0 / 0.0), "very long");
  EXPECT_EQ(speed_text(999), "999 cells/s");
  EXPECT_EQ(speed_text(1000), "1 k cells/s");
  EXPECT_EQ(speed_text(5.43e9), "5.43 G cells/s");
}

TEST(Progress, OffATerminalIsALineEach) {
  testing::internal::CaptureStderr();
  {
    Progress progress(true);
    ProgressState state;
    progress.show(state);
    state.step = 1;
    progress.show(state);
    progress.say("note");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "step 0 | 0 cells/s\nstep 1 | 0 cells/s\nnote\n");
  testing::internal::CaptureStderr();
  {
    Progress progress(false);
    progress.show({});
    progress.say("note");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

class SeriesFile : public testing::Test {
 protected:
  test::Folder folder;
  std::unique_ptr<Instance> instance = interpreter_instance(test::drift<double>(), {3, 2});
  void add(Series& series, std::int64_t step) {
    instance->set_scalar("time", 0.1 * static_cast<double>(step));
    series.add(*instance, step);
  }
};

TEST_F(SeriesFile, HasARowAStepWithExactDecimals) {
  Series series(folder / "s.csv", instance->machine());
  add(series, 0);
  add(series, 3);
  add(series, 3);
  EXPECT_EQ(read_file(folder / "s.csv"),
            "step,time,time_step,total\n0,0,0,0\n3,0.30000000000000004,0,0\n");
}

TEST_F(SeriesFile, ARestartKeepsEarlierRowsOnly) {
  {
    Series series(folder / "s.csv", instance->machine());
    for (int step : {0, 2, 4, 6}) add(series, step);
  }
  Series series(folder / "s.csv", instance->machine(), 4);
  add(series, 4);
  add(series, 5);
  EXPECT_EQ(read_file(folder / "s.csv"),
            "step,time,time_step,total\n0,0,0,0\n2,0.2,0,0\n4,0.4,0,0\n5,0.5,0,0\n");
  Series fresh(folder / "s.csv", instance->machine());
  EXPECT_EQ(read_file(folder / "s.csv"), "step,time,time_step,total\n");
}

TEST_F(SeriesFile, AnotherTableIsNotKept) {
  write_file(folder / "s.csv", "step,energy\n0,1\n");
  Series series(folder / "s.csv", instance->machine(), 4);
  EXPECT_EQ(read_file(folder / "s.csv"), "step,time,time_step,total\n");
}

}  // namespace
}  // namespace paraiso::runtime
