#include "paraiso/runtime/run/nan_watch.hpp"

#include <cmath>

#include "machines.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;

/// `gain` is squared from 2 on and is NaN after step 10; `wall` is for the next step's boundary;
/// `change` is NaN as soon as `gain` is, and nobody reads it.
om::Machine squaring() {
  return om::parse(
      "paraiso 1\nmachine squaring dimension 1\n"
      "static u local f64\n  boundary 0 kernel inflow outflow\n"
      "static change global f64\n"
      "static gain global f64 = 2\n"
      "static wall global f64\n"
      "boundary_kernel inflow\n%0 = load wall\n%1 = broadcast %0\nresult %1\nend\n"
      "kernel proceed step\n%0 = load u\n%1 = shift %0 (1)\nstore u %1\n"
      "%2 = load gain\n%3 = mul %2 %2\n%4 = sub %3 %3\n%5 = add %3 %4\n"
      "store change %4\nstore gain %5\n%6 = imm f64 1\nstore wall %6\nend\nend machine\n");
}

std::string complaint(Instance& instance, std::int64_t steps, double progress_seconds) {
  RunOptions options;
  options.progress = false;
  options.steps = steps;
  options.progress_seconds = progress_seconds;
  return error_text([&] { (void)run(instance, options); });
}

TEST(StateScalars, AreThoseThatStepsHandOnAndTheTime) {
  const auto names = [](const om::Machine& machine) {
    std::vector<std::string> names;
    for (om::StaticId id : state_scalars(machine)) names.push_back(machine.at(id).name);
    return names;
  };
  EXPECT_EQ(names(squaring()), (std::vector<std::string>{"gain", "wall"}));
  EXPECT_EQ(names(test::drift<double>()), (std::vector<std::string>{"time", "time_step"}));
  EXPECT_EQ(names(test::box()), std::vector<std::string>{});
}

TEST(NanWatch, FindsTheStepOfAScalar) {
  for (const double seconds : {0.0, 1e9}) {
    auto instance = interpreter_instance(squaring(), {4});
    EXPECT_EQ(complaint(*instance, 50, seconds),
              "error: NaN in scalar `gain` after step 10; step 9 was still sound\n"
              "hint: look at the fields before, with --output and --steps");
  }
}

TEST(NanWatch, SeesAScalarThatOnlyABoundaryReads) {
  auto instance = interpreter_instance(squaring(), {4});
  instance->set_scalar("wall", NAN);
  EXPECT_EQ(complaint(*instance, 50, 0), "error: NaN in scalar `wall` at step 0, before any other");
}

/// The watch after so many steps of `squaring`, which it has seen at step 3.
class Watching : public testing::Test {
 protected:
  std::unique_ptr<Instance> instance = interpreter_instance(squaring(), {4});
  Stepper stepper{*instance, {}};
  double state = state_bytes(instance->machine(), instance->size());

  std::string complaint_with(double available) {
    NanWatch watch(*instance, stepper, {available, "memory"});
    stepper.take(0, 3);
    watch.look(3, "");
    stepper.take(3, 11);
    return error_text([&] { watch.look(14, "a hint"); });
  }
};

TEST_F(Watching, KeepsAStateThatJustFits) {
  EXPECT_EQ(complaint_with(state),
            "error: NaN in scalar `gain` after step 10; step 9 was still sound\nhint: a hint");
}

TEST_F(Watching, ClaimsNoStepWhereTheStateDoesNotFit) {
  EXPECT_EQ(complaint_with(state - 1),
            "error: NaN in scalar `gain`, which came between step 3 and step 14\n"
            "note: there was no memory to keep a sound state from which to find the step\n"
            "hint: a hint");
}

TEST_F(Watching, ClaimsNoStepWhereTheStepsMakeNoNan) {
  NanWatch watch(*instance, stepper);
  watch.look(0, "");
  stepper.take(0, 5);
  instance->field("u").set(std::vector<std::int64_t>{2}, om::Constant(std::nan("")));
  EXPECT_EQ(error_text([&] { watch.look(5, ""); }),
            "error: NaN in field `u` at cell (2), which came between step 0 and step 5\n"
            "note: running these steps again gives no NaN: something between them did");
}

TEST_F(Watching, FindsANanOfTheLastStep) {
  NanWatch watch(*instance, stepper);
  watch.look(0, "");
  stepper.take(0, 10);
  EXPECT_EQ(error_text([&] { watch.look(10, ""); }),
            "error: NaN in scalar `gain` after step 10; step 9 was still sound\n"
            "hint: look at the fields before, with --output and --steps");
}

}  // namespace
}  // namespace paraiso::runtime
