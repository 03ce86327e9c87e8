// Measuring: what `bench` and the tuner's workers share of timing a program.
// Gives: kMostMeasuredSteps, seconds_of, start_problem, find_steps. Needs: execution, Stepper.
#pragma once

#include <functional>

#include "cli/execution.hpp"
#include "paraiso/runtime/run/stepper.hpp"

namespace paraiso::cli {

inline constexpr std::int64_t kMostMeasuredSteps = 1000000;

[[nodiscard]] double seconds_of(const std::function<void()>& work);

/// Back to the problem's beginning, with the parameters of `--set` and no end in sight that could
/// shorten a step.
void start_problem(const Prepared& prepared, const std::vector<std::string>& set);

/// How many steps take about `repeat_seconds`, a number that the kernel's own divides; finding out
/// is the warm-up as well. The state is that after some steps.
[[nodiscard]] std::int64_t find_steps(runtime::Stepper& stepper, double repeat_seconds);

}  // namespace paraiso::cli
