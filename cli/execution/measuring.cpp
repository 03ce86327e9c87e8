#include "cli/execution/measuring.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "paraiso/runtime/fields/parameters.hpp"

namespace paraiso::cli {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void start_problem(const Prepared& prepared) {
  runtime::Instance& instance = *prepared.instance;
  runtime::set_parameters(instance, prepared.parameters);
  const om::Machine& machine = prepared.program;
  if (const auto limit = machine.find_role(om::StaticRole::time_limit))
    instance.set_scalar(*limit,
                        om::Constant::from_double(machine.at(*limit).type.element, INFINITY));
  if (!prepared.chosen.problem.empty()) instance.run(prepared.chosen.problem);
  instance.finish();
}

std::int64_t find_steps(runtime::Stepper& stepper, double repeat_seconds) {
  const std::int64_t most = kMostMeasuredSteps / stepper.stride();
  const double enough = repeat_seconds / 10;
  for (std::int64_t calls = 1;; calls *= 2) {
    const auto take = [&] { stepper.take(0, calls * stepper.stride()); };
    double seconds = seconds_of(take);
    // Threads that start, or another program, can make a few steps look like many.
    for (int again = 0; again < 3 && seconds >= enough && seconds < 4 * repeat_seconds; ++again) {
      const double before = seconds;
      seconds = std::min(before, seconds_of(take));
      if (seconds > 0.8 * before) break;
    }
    if (seconds >= enough || calls >= most)
      return stepper.stride() *
             std::clamp<std::int64_t>(
                 std::llround(repeat_seconds / seconds * static_cast<double>(calls)), 1, most);
  }
}

}  // namespace paraiso::cli
