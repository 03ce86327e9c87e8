// Measuring: what `bench` and the tuner's workers share for timing a program.
// Gives: kMostMeasuredSteps, seconds_of, start_problem, find_steps. Needs: prepared, Stepper.
#pragma once

#include <functional>

#include "cli/prepared/prepared.hpp"
#include "paraiso/runtime/run/stepper.hpp"

namespace paraiso::cli {

inline constexpr std::int64_t kMostMeasuredSteps = 1000000;

[[nodiscard]] double seconds_of(const std::function<void()>& work);

/// Returns to the problem's beginning, with the parameters and no time limit that could
/// shorten a step.
void start_problem(const Prepared& prepared);

/// How many steps take about `repeat_seconds`, a multiple of the kernel's own number of steps;
/// finding out also warms up. The state is that after some steps.
[[nodiscard]] std::int64_t find_steps(runtime::Stepper& stepper, double repeat_seconds);

}  // namespace paraiso::cli
