// What the default planner chooses.
#include "paraiso/plan/search/default_schedule.hpp"

#include <gtest/gtest.h>

#include "tests/support/cpu_plans.hpp"
#include "tests/support/two_fields.hpp"

namespace paraiso::plan {
namespace {

const std::string kSmoothedRoot =
    "%0 = load f\n%1 a = sqrt %0\n%2 = shift %1 (0, 0, 1)\n%3 = shift %1 (0, 0, -1)\n"
    "%4 = shift %1 (0, 1, 0)\n%5 = add %2 %3\n%6 = add %5 %4\nstore f %6\n";

TEST(DefaultPlanner, IsPredictedToBeNoSlowerThanKeepingNothingOrEverything) {
  const auto m = test::two_fields(3, kSmoothedRoot, "outflow outflow");
  const Setting setting = large_grid(3);
  const auto time = [&](const Schedule& schedule) {
    const Plan plan = make_plan(m, schedule);
    return predict(plan.machine, plan.kernels[0], setting).nanoseconds;
  };
  const double chosen = time(default_schedule(m, setting));
  EXPECT_LE(chosen, time({}));
  for (const char* storage : {"scratch", "rolling", "array"})
    EXPECT_LE(chosen, time({{{"proceed/a.storage", storage}}})) << storage;
}

/// A leapfrog scheme: the new `g` is made of the new `f` around it.
constexpr const char* kLeapfrog =
    "%0 = load f\n%1 = load g\n"
    "%2 = shift %1 (1, 0)\n%3 = shift %1 (-1, 0)\n%4 = shift %1 (0, 1)\n%5 = shift %1 (0, -1)\n"
    "%6 = add %2 %3\n%7 = add %4 %5\n%8 = mul %6 %7\n%9 = add %0 %8\nstore f %9\n"
    "%10 = shift %9 (1, 0)\n%11 = shift %9 (-1, 0)\n%12 = shift %9 (0, 1)\n"
    "%13 = shift %9 (0, -1)\n%14 = add %10 %11\n%15 = add %12 %13\n%16 = mul %14 %15\n"
    "%17 = add %1 %16\nstore g %17\n";

TEST(DefaultPlanner, SplitsLeapfrogSchemesWhereAllThreadsHaveRows) {
  const auto m = test::two_fields(2, kLeapfrog);
  MachineModel machine = documented_machine();
  machine.threads = 4;
  const auto form = [&](std::int64_t rows) {
    return default_schedule(m, {{256, rows}, machine}).choices.at("proceed/form");
  };
  EXPECT_EQ(form(256), "split");
  EXPECT_EQ(form(4 * 32), "split");
  EXPECT_EQ(form(4 * 32 - 1), "overlapped");
}

}  // namespace
}  // namespace paraiso::plan
