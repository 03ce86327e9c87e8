#include "paraiso/runtime/run/run.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "running.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using test::FileSizeLimit;

TEST_F(Running, TakesSteps) {
  options.steps = 5;
  const auto result = go();
  EXPECT_EQ(result.end, RunEnd::finished);
  EXPECT_EQ(result.steps, 5);
  EXPECT_EQ(result.steps_run, 5);
  EXPECT_EQ(result.time, 0.625);
  EXPECT_GT(result.seconds, 0);
  EXPECT_DOUBLE_EQ(result.cell_updates_per_second, 5 * 24 / result.seconds);
  ASSERT_EQ(result.fields.size(), 3u);
  EXPECT_EQ(result.fields[1].name, "count");
  EXPECT_EQ(result.fields[1].maximum, 5 * 3 + 5);
  EXPECT_EQ(result.scalars.back().name, "total");
  EXPECT_DOUBLE_EQ(result.scalars.back().value.to_double(), result.fields[0].sum);
  EXPECT_EQ(folder.file_count(), 0);
}

TEST_F(Running, ReachesATimeExactly) {
  options.until = 0.3;
  const auto result = go();
  EXPECT_EQ(result.time, 0.3);
  EXPECT_EQ(result.steps, 3);
}

TEST_F(Running, ReachesATimeThatIsNoFloat) {
  for (double until : {0.1, 0.7, 1.3}) {
    auto single = interpreter_instance(test::drift<float>(), {6, 4});
    options.until = until;
    EXPECT_EQ(run(*single, options).time, static_cast<double>(static_cast<float>(until)));
  }
}

TEST_F(Running, WhatComesFirstEnds) {
  options.until = 100;
  options.steps = 2;
  EXPECT_EQ(go().steps, 2);
  options.until = 0.125;
  options.steps = 50;
  EXPECT_EQ(go().steps, 1);
  options.steps = 0;
  EXPECT_EQ(go().steps, 0);
}

TEST_F(Running, ChoosesTheProblem) {
  options.problem = "flat";
  options.steps = 0;
  EXPECT_EQ(go().fields[0].minimum, 1);
  options.problem = "bumb";
  EXPECT_EQ(complaint(), "error: machine `drift` has no problem `bumb`; did you mean `bump`?");
  options.problem = "proceed";
  EXPECT_EQ(complaint(), "error: machine `drift` has no problem `proceed`");
}

TEST_F(Running, ParametersAreSetBeforeTheInitialKernel) {
  set({"level=5", "x_max=4"});
  options.steps = 0;
  EXPECT_EQ(go().fields[1].maximum, 5 * 5);
  set({"x_max=-1"});
  EXPECT_EQ(complaint(), "error: the domain is empty along x: it reaches from 0 to -1");
}

TEST_F(Running, AnInitialKernelKnowsNoEarlierRun) {
  options.steps = 3;
  go();
  options.steps = 0;
  options.problem = "flat";  // stores neither `count` nor `total`
  instance->set_scalar("rate", 0.75);
  go();
  EXPECT_EQ(instance->scalar("total"), 0);
  EXPECT_EQ(summarise_fields(*instance)[1].maximum, 0);
  EXPECT_EQ(instance->scalar("rate"), 0.75);
}

TEST_F(Running, WithoutTheInitialKernelTheStateIsTheCallers) {
  instance->run("flat");
  instance->run("double_u");
  options.initial = false;
  options.steps = 1;
  EXPECT_EQ(go().fields[0].maximum, 2);
}

TEST_F(Running, WithoutAnEndIsRefused) {
  EXPECT_EQ(complaint(), "error: the run has no end: give a number of steps or a time");
  options.steps = -1;
  EXPECT_EQ(complaint(), "error: a run can't have -1 steps");
  options.steps.reset();
  options.until = INFINITY;
  EXPECT_EQ(complaint(), "error: a run can't end at time inf");
  options.until = 1;
  options.every = -0.5;
  EXPECT_EQ(complaint(), "error: outputs can't be -0.5 apart");
}

TEST_F(Running, AMachineWithoutTimeOrStepIsTold) {
  auto counter = interpreter_instance(test::counter(), {4});
  options.until = 1;
  EXPECT_EQ(error_text([&] { (void)run(*counter, options); }),
            "error: machine `counter` has no time to stop at: give a number of steps");
  auto box = interpreter_instance(test::box(), {2, 2, 2});
  EXPECT_EQ(error_text([&] { (void)run(*box, options); }),
            "error: machine `box` has no step kernel to run");
}

TEST_F(Running, ACallbackSeesEachStepAndMayEnd) {
  Steps seen;
  options.between = [&](Instance& now, std::int64_t step) {
    seen.push_back(step);
    EXPECT_EQ(now.scalar("time"), 0.125 * static_cast<double>(step));
    return step < 3;
  };
  const auto result = go();
  EXPECT_EQ(result.end, RunEnd::callback);
  EXPECT_EQ(result.steps, 3);
  EXPECT_EQ(seen, (Steps{0, 1, 2, 3}));
}

TEST_F(Running, ATimeThatStandsStillIsTold) {
  options.until = 1;
  options.between = [](Instance& now, std::int64_t step) {
    if (step == 2) now.set_scalar("time_step", 0);
    return true;
  };
  EXPECT_EQ(complaint(),
            "error: time does not advance at 0.25 in step 3: the time step is too small, 0 or "
            "negative\n"
            "hint: look at the state with --output, or take another time step");
}

TEST_F(Running, ATimeThatGoesBackIsTold) {
  options.until = 1;
  options.between = [](Instance& now, std::int64_t step) {
    if (step == 2) now.set_scalar("time_step", -0.25);
    return true;
  };
  EXPECT_TRUE(complaint().starts_with("error: time does not advance at 0.25 in step 3: "))
      << complaint();
}

TEST_F(Running, ATimeThatNobodyStoresIsTold) {
  const auto hint_of = [&](const std::string& stored) {
    const auto machine = passes::prepare(
        om::parse("paraiso 1\nmachine still dimension 1\nstatic u local f64\n"
                  "  boundary 0 cyclic cyclic\nstatic t global f64 time\n"
                  "static dt global f64 time_step\n"
                  "kernel begin initial\n  %0 = load_index 0\n  %1 = cast %0 f64\n  store u %1\n"
                  "end\nkernel proceed step\n  %0 = load u\n  store u %0\n  %1 = load t\n"
                  "  %2 = load dt\n  %3 = add %1 %2\n  store " +
                  stored + " %3\nend\nend machine\n"),
        passes::Numbers::fma);
    const auto still = interpreter_instance(machine, {4});
    options.steps = 1;
    return error_text([&] { (void)run(*still, options); });
  };
  const std::string text =
      "error: time does not advance at 0 in step 1: the time step is too small, 0 or negative\n"
      "hint: ";
  EXPECT_EQ(hint_of("t"), text + "kernel `begin` never stores `dt`, as `clock.start(dt)` does");
  EXPECT_EQ(hint_of("dt"), text + "kernel `proceed` never stores `t`, as `clock.advance()` does");
}

// --- outputs ---

TEST_F(Running, WatchingChangesNoBit) {
  options.steps = 9;
  options.output = folder / "out";
  options.every = 0.2;
  options.plot = "u";
  options.checkpoint = folder / "c";
  options.checkpoint_seconds = 0;
  options.progress_seconds = 0;
  go();
  EXPECT_EQ(save(*instance).statics, plain(9));
}

TEST_F(Running, OutputsFallOnTheFirstStepsThatPassTheirTime) {
  options.steps = 9;
  options.output = folder / "out";
  options.every = 0.3;
  options.plot = "u";
  const auto result = go();
  EXPECT_EQ(snapshot_steps(result), (Steps{0, 3, 5, 8, 9}));
  EXPECT_EQ(result.snapshots[1], folder / "out/drift_00000003.h5");
  EXPECT_EQ(result.pictures[1], folder / "out/u_00000003.png");
  EXPECT_EQ(result.series, folder / "out/scalars.csv");
  EXPECT_EQ(result.xdmf, folder / "out/drift.xdmf");
  EXPECT_EQ(folder.file_count(), 5 + 5 + 2);
}

TEST_F(Running, EveryFallsOnItsMultiplesInSpiteOfRounding) {
  auto counter = interpreter_instance(test::counter(), {4});
  options.steps = 7;
  options.output = folder / "out";
  options.every = 3;
  EXPECT_EQ(snapshot_steps(run(*counter, options)), (Steps{0, 3, 6, 7}));
  options.output = folder / "time";
  options.every = 0.125;
  EXPECT_EQ(snapshot_steps(go()), (Steps{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(Running, WithoutEveryTheEndsAreStored) {
  options.steps = 4;
  options.output = folder / "out";
  EXPECT_EQ(snapshot_steps(go()), (Steps{0, 4}));
  options.steps = 0;
  options.output = folder / "none";
  EXPECT_EQ(snapshot_steps(go()), Steps{0});
}

TEST_F(Running, FieldsAreLoadedAfterTheInitialKernel) {
  options.steps = 3;
  options.output = folder / "out";
  const auto first = go();
  options.output.clear();
  options.steps = 0;
  options.fields = first.snapshots.back();
  const auto second = go();
  EXPECT_EQ(second.fields[0].hash, first.fields[0].hash);
  EXPECT_EQ(second.time, 0);
}

TEST_F(Running, MistakesShowBeforeTheFirstStep) {
  options.steps = 1;
  options.plot = "w";
  EXPECT_EQ(complaint(), "error: machine `drift` has no field `w`; did you mean `u`?");
  options.plot.clear();
  options.checkpoint = folder / "none/c";
  EXPECT_EQ(complaint(),
            "error: can't write checkpoints to `FOLDER/none/c`: there is no folder `FOLDER/none`");
  options.checkpoint.clear();
  write_file(folder / "file", "");
  options.output = folder / "file";
  EXPECT_EQ(complaint(),
            "error: can't make the folder `FOLDER/file`: a file of that name is in the way");
  EXPECT_EQ(instance->scalar("time"), 0);
}

// --- checkpoints ---

TEST_F(Running, ARestartGoesOnBitForBitAndItsFilesToo) {
  options.steps = 8;
  options.output = folder / "out";
  options.every = 0.25;
  options.checkpoint = folder / "c";
  go();
  auto later = interpreter_instance(test::drift<double>(), {6, 4});
  options.restart = folder / "c";
  options.steps = 20;
  const auto result = run(*later, options);
  EXPECT_EQ(result.steps, 20);
  EXPECT_EQ(result.steps_run, 12);
  EXPECT_EQ(save(*later).statics, plain(20));

  options.restart.clear();
  options.output = folder / "whole";
  go();
  EXPECT_EQ(read_file(folder / "out/scalars.csv"), read_file(folder / "whole/scalars.csv"));
  EXPECT_EQ(read_file(folder / "out/drift.xdmf"), read_file(folder / "whole/drift.xdmf"));
}

TEST_F(Running, ARestartTakesThisRunsParametersAndLimit) {
  options.until = 0.3;
  options.checkpoint = folder / "c";
  go();
  options.restart = folder / "c";
  options.until = 1;
  set({"rate=0.25"});
  EXPECT_EQ(go().time, 1);
  EXPECT_EQ(instance->scalar("rate"), 0.25);
}

TEST_F(Running, ARestartWithNothingToDoSaysSo) {
  options.steps = 5;
  options.checkpoint = folder / "c";
  go();
  options.restart = folder / "c";
  options.progress = true;
  testing::internal::CaptureStderr();
  const auto result = go();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "nothing to do: the checkpoint is at step 5 already, and steps and time count from the "
            "problem's beginning\n");
  EXPECT_EQ(result.steps_run, 0);
}

TEST_F(Running, AFullDiskKeepsTheLastCheckpoint) {
  options.steps = 5;
  options.checkpoint = folder / "c";
  go();
  std::string text;
  {
    FileSizeLimit limit(800);
    options.steps = 6;
    text = complaint();
  }
  EXPECT_EQ(text,
            "error: can't write `FOLDER/c`: it would exceed the file size limit (`ulimit -f`)");
  EXPECT_EQ(read_checkpoint(folder / "c", *instance, {}).step, 5);
}

TEST_F(Running, TheProgressLineTellsStepTimeAndRest) {
  options.steps = 2;
  options.progress = true;
  options.progress_seconds = 0;
  testing::internal::CaptureStderr();
  go();
  const auto text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.rfind("step 1 | time 0.125 | dt 0.125 | ", 0), 0u) << text;
  EXPECT_NE(text.find("\nstep 2 | time 0.25 | dt 0.125 | "), std::string::npos) << text;
  EXPECT_NE(text.find(" cells/s | 0 s left\n"), std::string::npos) << text;
}

TEST_F(Running, TheRestIsToldFromThePartThatIsDone) {
  using Clock = std::chrono::steady_clock;
  constexpr double kFirstSeconds = 0.3;  // of ten steps, the others take next to nothing
  const auto start = Clock::now();
  double elapsed = 0;  // just after the line of step 1
  options.steps = 10;
  options.progress = true;
  options.progress_seconds = 0;
  options.between = [&](Instance&, std::int64_t step) {
    if (step == 0) std::this_thread::sleep_for(std::chrono::duration<double>(kFirstSeconds));
    if (step == 1) elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    return true;
  };
  testing::internal::CaptureStderr();
  go();
  const auto text = testing::internal::GetCapturedStderr();
  const auto line = text.substr(0, text.find('\n'));
  int left = 0;
  ASSERT_EQ(std::sscanf(line.c_str() + line.rfind('|'), "| %d s left", &left), 1) << line;
  EXPECT_GE(left, std::lround(9 * kFirstSeconds)) << line;
  EXPECT_LE(left, std::lround(9 * elapsed)) << line;
}

TEST(RunEndName, IsWhatTheUserReads) {
  EXPECT_STREQ(name(RunEnd::finished), "finished");
  EXPECT_STREQ(name(RunEnd::callback), "stopped by the program");
  EXPECT_STREQ(name(RunEnd::wall_time), "stopped at the wall time");
  EXPECT_STREQ(name(RunEnd::interrupt), "interrupted");
  EXPECT_STREQ(name(RunEnd::terminate), "terminated");
}

}  // namespace
}  // namespace paraiso::runtime
