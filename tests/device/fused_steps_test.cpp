// Several steps in one kernel, many calls of it while the host waits once: where one of these steps
// would go beyond a limit, none of the call is taken, and the states are those of the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <limits>

#include "paraiso/frontend/frontend.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "tests/device/backends.hpp"

namespace paraiso {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Its next time step follows from a reduction, and an initial one that is 0 from a parameter.
om::Machine adaptive() {
  Builder<2> om("adaptive");
  Field<double, 2> u{om, "u", cyclic()};
  Parameter<double, 2> first{om, "first", 0.25};
  Clock<double, 2> clock{om};
  const Axis<2> x(0), y(1);
  om.initial("ramp", [&] {
    store(u, cast<double>(index(x) * index(x) + 3 * index(y)));
    clock.start(load(first));
  });
  om.step("proceed", [&] {
    const auto u0 = load(u);
    const auto u1 = u0 + clock.advance() * (at(u0, -x) + at(u0, +y) - 2 * u0);
    store(u, u1);
    clock.set_step(inv(20 + reduce_max(abs(u1))));
  });
  return om.machine();
}

/// An instance, and what it was asked for.
class Counting : public runtime::Instance {
 public:
  explicit Counting(std::unique_ptr<runtime::Instance> inner) : inner_(std::move(inner)) {}
  [[nodiscard]] const om::Machine& machine() const override { return inner_->machine(); }
  [[nodiscard]] const std::vector<std::int64_t>& size() const override { return inner_->size(); }
  void run(std::string_view kernel) override {
    ++alone;
    inner_->run(kernel);
  }
  void finish() override { inner_->finish(); }
  std::optional<runtime::StepsTaken> take_steps(std::string_view kernel, std::int64_t count,
                                                double until) override {
    const auto taken = inner_->take_steps(kernel, count, until);
    if (taken) ++batches, together += taken->count;
    return taken;
  }
  [[nodiscard]] runtime::FieldView field(om::StaticId id) override { return inner_->field(id); }
  [[nodiscard]] om::Constant scalar(om::StaticId id) const override { return inner_->scalar(id); }
  void set_scalar(om::StaticId id, om::Constant value) override { inner_->set_scalar(id, value); }

  int alone = 0, batches = 0;
  std::int64_t together = 0;

 private:
  std::unique_ptr<runtime::Instance> inner_;
};

class FusedSteps : public testing::TestWithParam<std::tuple<DeviceBackend, const char*>> {
 protected:
  const DeviceBackend device = std::get<0>(GetParam());
  static constexpr int kSteps = 3;
  const passes::Fused fused =
      passes::fuse(passes::prepare(adaptive(), passes::Numbers::fma), kSteps, true);
  const std::vector<std::int64_t> size{11, 6};

  [[nodiscard]] std::unique_ptr<runtime::Instance> on_device() const {
    const runtime::Backend& backend = device.row();
    plan::Schedule schedule = backend.default_schedule(fused.machine, {});
    for (auto& [gene, allele] : schedule.choices)
      if (gene.ends_with("/ghosts")) allele = std::get<1>(GetParam());
    auto made =
        runtime::compile(backend.make_plan(fused.machine, schedule), quick_build(backend), backend)
            .instance(size);
    made->run("ramp");
    return made;
  }
  [[nodiscard]] std::unique_ptr<runtime::Instance> interpreted() const {
    auto made = runtime::interpreter_instance(fused.machine, size);
    made->run("ramp");
    return made;
  }
  [[nodiscard]] runtime::RunOptions options() const {
    runtime::RunOptions options;
    options.progress = false;
    options.fusion = fused.fusion;
    return options;
  }
  static std::vector<std::vector<char>> state(runtime::Instance& of) {
    return runtime::save(of).statics;
  }
};

TEST_P(FusedSteps, FollowEachOtherWithoutTheHost) {
  PARAISO_NEEDS_BACKEND(device);
  const auto one = on_device(), other = interpreted();
  for (const int calls : {1, 5, 2}) {
    const auto taken = one->take_steps(fused.fusion.kernel, calls, kNever);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->count, calls);
    EXPECT_FALSE(taken->one_by_one || taken->stands_still);
    for (int call = 0; call < calls; ++call) other->run(fused.fusion.kernel);
    EXPECT_EQ(state(*one), state(*other)) << calls;
  }
}

TEST_P(FusedSteps, AThousandAtOnceAreAThousandOneByOne) {
  PARAISO_NEEDS_BACKEND(device);
  const auto one = on_device(), other = on_device();
  EXPECT_EQ(one->take_steps(fused.fusion.kernel, 1000, kNever)->count, 1000);
  for (int call = 0; call < 1000; ++call) {
    const auto taken = other->take_steps(fused.fusion.kernel, 1, kNever);
    ASSERT_EQ(taken->count, 1) << call;
  }
  EXPECT_GT(one->scalar("time"), 0);
  EXPECT_EQ(state(*one), state(*other));
}

TEST_P(FusedSteps, NoneIsTakenBeyondALimit) {
  PARAISO_NEEDS_BACKEND(device);
  const auto one = on_device(), other = interpreted();
  std::vector<double> times{0};
  for (int call = 0; call < 4; ++call) {
    other->run(fused.fusion.kernel);
    times.push_back(other->scalar("time"));
  }
  const auto again = interpreted();
  // A limit that the third call's last step reaches, and one that a step before it does.
  auto taken = one->take_steps(fused.fusion.kernel, 9, std::nextafter(times[2], kNever));
  EXPECT_EQ(taken->count, 2);
  EXPECT_TRUE(taken->one_by_one);
  for (int call = 0; call < 2; ++call) again->run(fused.fusion.kernel);
  EXPECT_EQ(state(*one), state(*again));
  taken = one->take_steps(fused.fusion.kernel, 9, times[3]);
  EXPECT_EQ(taken->count, 1);
  EXPECT_FALSE(taken->one_by_one);
  again->run(fused.fusion.kernel);
  EXPECT_EQ(state(*one), state(*again));
}

TEST_P(FusedSteps, NoneIsTakenIfTheTimeStandsStillOrIsNan) {
  PARAISO_NEEDS_BACKEND(device);
  const auto one = on_device();
  for (const double step : {0.0, std::nan("")}) {
    one->set_scalar("time_step", step);
    const auto before = state(*one);
    const auto taken = one->take_steps(fused.fusion.kernel, 4, kNever);
    EXPECT_EQ(taken->count, 0);
    EXPECT_TRUE(taken->one_by_one);
    EXPECT_EQ(state(*one), before);
  }
}

TEST_P(FusedSteps, ARunWaitsOnceForMany) {
  PARAISO_NEEDS_BACKEND(device);
  runtime::RunOptions wanted = options();
  wanted.steps = 200;
  Counting one(on_device());
  const auto other = interpreted();
  const runtime::RunResult result = runtime::run(one, wanted);
  EXPECT_EQ(result.steps, 200);
  runtime::run(*other, wanted);
  EXPECT_EQ(state(one), state(*other));
  EXPECT_EQ(one.together, 200 / kSteps);
  EXPECT_LT(one.batches, 30);
  EXPECT_EQ(one.alone, 1 + 200 % kSteps);  // after the initial kernel
}

TEST_P(FusedSteps, ARunStopsWhereSingleStepsDo) {
  PARAISO_NEEDS_BACKEND(device);
  runtime::RunOptions wanted = options();
  for (const double until : {0.9, 1.0, 1.1}) {
    wanted.until = until;
    Counting one(on_device());
    const auto other = interpreted();
    const runtime::RunResult on = runtime::run(one, wanted), by = runtime::run(*other, wanted);
    EXPECT_EQ(on.steps, by.steps);
    EXPECT_EQ(on.time, until);
    EXPECT_EQ(state(one), state(*other)) << until;
    EXPECT_GT(one.together, 2);
    EXPECT_LT(one.alone, 1 + 2 * kSteps);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FusedSteps,
                         testing::Combine(testing::ValuesIn(device_backends()),
                                          testing::Values("filled", "stored")),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param).label,
                                              std::get<1>(info.param));
                         });

}  // namespace
}  // namespace paraiso
