// A run with fused steps against the same run by single steps: what it leaves, and which kernels it
// calls.
#include <cmath>

#include "machines.hpp"
#include "paraiso/frontend/frontend.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/runtime/output/checkpoint.hpp"
#include "paraiso/runtime/output/output.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "paraiso/runtime/run/stepper.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using test::Folder;
using Steps = std::vector<std::int64_t>;
using Calls = std::vector<std::string>;

/// Its next time step follows from a reduction.
om::Machine adaptive() {
  Builder<1> om("adaptive");
  Field<double, 1> u{om, "u", cyclic()};
  paraiso::Clock<double, 1> clock{om};
  const Axis<1> x(0);
  om.initial("ramp", [&] {
    store(u, cast<double>(index(x)));
    clock.start(0.25);
  });
  om.step("proceed", [&] {
    const auto u0 = load(u);
    const auto u1 = u0 + clock.advance() * (at(u0, -x) - u0);
    store(u, u1);
    clock.set_step(inv(1 + reduce_max(abs(u1))));
  });
  return om.machine();
}

/// The interpreter, with a list of the kernels that were run.
class Listing : public Instance {
 public:
  Listing(om::Machine machine, std::vector<std::int64_t> size)
      : inner_(interpreter_instance(std::move(machine), std::move(size))) {}
  [[nodiscard]] const om::Machine& machine() const override { return inner_->machine(); }
  [[nodiscard]] const std::vector<std::int64_t>& size() const override { return inner_->size(); }
  void run(std::string_view kernel) override {
    calls.emplace_back(kernel);
    inner_->run(kernel);
  }
  [[nodiscard]] FieldView field(om::StaticId id) override { return inner_->field(id); }
  [[nodiscard]] om::Constant scalar(om::StaticId id) const override { return inner_->scalar(id); }
  void set_scalar(om::StaticId id, om::Constant value) override { inner_->set_scalar(id, value); }

  Calls calls;

 private:
  std::unique_ptr<Instance> inner_;
};

struct Program {
  passes::Fused fused;
  std::vector<std::int64_t> size;
};

Program drift(int steps) { return {passes::fuse_steps(test::drift<double>(), steps), {6, 4}}; }
Program counter(int steps) { return {passes::fuse_steps(test::counter(), steps), {4}}; }
Program held(int steps) { return {passes::fuse_steps(adaptive(), steps, true), {7}}; }

class Fusing : public testing::Test {
 protected:
  Folder folder;
  RunOptions options = quiet();
  Calls calls;  // of the last run

  static RunOptions quiet() {
    RunOptions options;
    options.progress = false;
    return options;
  }
  RunResult go(const Program& program) {
    Listing instance(program.fused.machine, program.size);
    options.fusion = program.fused.fusion;
    options.record.program_hash = om::program_hash(passes::unfused(program.fused));
    try {
      auto result = run(instance, options);
      calls = instance.calls;
      state = save(instance).statics;
      return result;
    } catch (...) {
      calls = instance.calls;
      throw;
    }
  }
  /// The same by single steps.
  RunResult go_single(Program program) {
    program.fused.machine = passes::unfused(program.fused);
    program.fused.fusion = {};
    return go(program);
  }
  void expect_as_single(const Program& program, const Calls& expected) {
    go(program);
    EXPECT_EQ(calls, expected);
    const auto fused = state;
    go_single(program);
    EXPECT_EQ(fused, state);
  }
  static Steps snapshot_steps(const RunResult& result) {
    Steps steps;
    for (const auto& path : result.snapshots) steps.push_back(read_snapshot_info(path).step);
    return steps;
  }

  std::vector<std::vector<char>> state;  // after the last run
};

TEST_F(Fusing, TakesTheRestByOnes) {
  options.steps = 10;
  expect_as_single(drift(4), {"bump", "proceed_4", "proceed_4", "proceed", "proceed"});
  const auto result = go(drift(4));
  EXPECT_EQ(result.steps, 10);
  EXPECT_EQ(result.time, 1.25);
  EXPECT_DOUBLE_EQ(result.cell_updates_per_second, 10 * 24 / result.seconds);
  options.steps = 3;
  expect_as_single(drift(4), {"bump", "proceed", "proceed", "proceed"});
}

/// The time step is 1/8.
TEST_F(Fusing, NoStepGoesBeyondTheTimeLimit) {
  options.until = 1;
  expect_as_single(drift(4), {"bump", "proceed_4", "proceed_4"});
  options.until = 0.875;
  expect_as_single(drift(4), {"bump", "proceed_4", "proceed", "proceed", "proceed"});
  EXPECT_EQ(go(drift(4)).time, 0.875);
  options.until = 0.95;
  EXPECT_EQ(go(drift(4)).time, 0.95);
  expect_as_single(drift(4), {"bump", "proceed_4", "proceed_4"});
  options.until = 0.8;
  expect_as_single(drift(4), {"bump", "proceed_4", "proceed", "proceed", "proceed"});
}

TEST_F(Fusing, OutputsFallOnTheSameSteps) {
  options.steps = 9;
  options.every = 0.3;
  options.output = folder / "fused";
  const auto fused = go(drift(2));
  EXPECT_EQ(calls, (Calls{"bump", "proceed_2", "proceed", "proceed_2", "proceed_2", "proceed",
                          "proceed"}));
  EXPECT_EQ(snapshot_steps(fused), (Steps{0, 3, 5, 8, 9}));
  options.output = folder / "single";
  EXPECT_EQ(snapshot_steps(go_single(drift(2))), snapshot_steps(fused));
  EXPECT_EQ(read_file(folder / "fused/scalars.csv"), read_file(folder / "single/scalars.csv"));
}

TEST_F(Fusing, WithoutATimeStepsAreCounted) {
  options.steps = 8;
  options.every = 3;
  options.output = folder / "out";
  EXPECT_EQ(snapshot_steps(go(counter(2))), (Steps{0, 3, 6, 8}));
  EXPECT_EQ(calls, (Calls{"zero", "proceed_2", "proceed", "proceed_2", "proceed", "proceed_2"}));
}

TEST_F(Fusing, ACheckpointFitsRunsWithStepsFusedOrNot) {
  options.steps = 6;
  options.checkpoint = folder / "fused";
  go(drift(4));
  options.checkpoint = folder / "single";
  go_single(drift(4));
  EXPECT_EQ(read_file(folder / "fused"), read_file(folder / "single"));
  options.steps = 13;
  options.restart = folder / "single";
  expect_as_single(drift(4), {"proceed_4", "proceed", "proceed", "proceed"});
}

TEST_F(Fusing, ANanIsFoundWithItsVeryStep) {
  options.steps = 50;
  options.parameters = {{"poison", om::Constant(0.5)}};
  for (double seconds : {0.0, 1e9}) {
    options.progress_seconds = seconds;
    EXPECT_EQ(error_text([&] { (void)go(drift(4)); }),
              "error: NaN in field `u` at cell (3, 1) after step 5; step 4 was still sound");
  }
}

TEST_F(Fusing, ATimeThatStandsStillIsToldWithItsStep) {
  options.steps = 50;
  options.between = [](Instance& now, std::int64_t step) {
    if (step == 4) now.set_scalar("time_step", 0);
    return true;
  };
  EXPECT_EQ(error_text([&] { (void)go(drift(4)); }),
            "error: time does not advance at 0.5 in step 5: the time step is too small, 0 or "
            "negative\n"
            "hint: look at the state with --output, or take another time step");
}

// --- with a time step that is held ---

/// Single steps give what the fused kernel does, whatever cuts the run into them.
TEST_F(Fusing, WhatIsHeldDoesNotDependOnWhatIsWatched) {
  options.steps = 11;
  go(held(4));
  EXPECT_EQ(calls, (Calls{"ramp", "proceed_4", "proceed_4", "proceed", "proceed", "proceed"}));
  const auto expected = state;

  options.every = 0.3;
  options.output = folder / "out";
  const auto watched = go(held(4));
  EXPECT_EQ(state, expected);
  EXPECT_GT(calls.size(), 7u);

  options.output.clear();
  options.steps = 6;
  options.checkpoint = folder / "c";
  go(held(4));
  options.restart = folder / "c";
  options.steps = 11;
  go(held(4));
  EXPECT_EQ(calls, (Calls{"proceed", "proceed", "proceed", "proceed", "proceed"}));
  EXPECT_EQ(state, expected);
}

TEST_F(Fusing, WhatIsHeldIsNewAfterEachStride) {
  options.steps = 6;
  std::vector<double> steps;
  options.every = 1e-9;  // every step is seen
  options.output = folder / "out";
  options.between = [&](Instance& now, std::int64_t) {
    steps.push_back(now.scalar("time_step"));
    return true;
  };
  go(held(3));
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[0], 0.25);
  EXPECT_EQ(steps[1], steps[0]);
  EXPECT_EQ(steps[2], steps[0]);
  EXPECT_NE(steps[3], steps[0]);
  EXPECT_EQ(steps[4], steps[3]);
  EXPECT_EQ(steps[5], steps[3]);
  EXPECT_NE(steps[6], steps[3]);
}

TEST_F(Fusing, AHeldTimeStepStopsAtTheTimeLimit) {
  options.until = 1.1;
  const auto result = go(held(4));
  EXPECT_EQ(result.time, 1.1);
  EXPECT_EQ(calls, (Calls{"ramp", "proceed_4", "proceed"}));
}

// --- the stepper itself ---

TEST(Stepper, TellsTheTimesAhead) {
  const auto program = drift(4);
  auto instance = interpreter_instance(program.fused.machine, program.size);
  instance->run("bump");
  Stepper stepper(*instance, program.fused.fusion);
  EXPECT_EQ(stepper.times_ahead(), (std::vector<double>{0.125, 0.25, 0.375, 0.5}));
  instance->set_scalar("time_limit", 0.3);
  EXPECT_EQ(stepper.times_ahead(), (std::vector<double>{0.125, 0.25, 0.3, 0.3}));
}

TEST(Stepper, KnowsNoTimeWhereThereIsNone) {
  const auto program = counter(2);
  auto instance = interpreter_instance(program.fused.machine, program.size);
  EXPECT_EQ(Stepper(*instance, program.fused.fusion).times_ahead(), std::nullopt);
}

TEST(Stepper, TakesAsManyAtOnceAsMayBe) {
  const auto program = held(3);
  Listing instance(program.fused.machine, program.size);
  Stepper(instance, program.fused.fusion).take(2, 6);
  EXPECT_EQ(instance.calls, (Calls{"proceed", "proceed_3", "proceed", "proceed"}));
}

TEST(Stepper, RefusesAKernelThatIsNotThere) {
  auto instance = interpreter_instance(test::counter(), {4});
  EXPECT_EQ(error_text([&] {
              Stepper(*instance, {"proceed_2", 2, {}});
            }),
            "error: machine `counter` has no kernel `proceed_2`; did you mean `proceed`?");
}

}  // namespace
}  // namespace paraiso::runtime
