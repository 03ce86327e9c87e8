#include "cli/measuring.hpp"

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
  for (std::int64_t calls = 1;; calls *= 2) {
    const double seconds = seconds_of([&] { stepper.take(0, calls * stepper.stride()); });
    if (seconds >= repeat_seconds / 10 || calls >= most)
      return stepper.stride() *
             std::clamp<std::int64_t>(
                 std::llround(repeat_seconds / seconds * static_cast<double>(calls)), 1, most);
  }
}

}  // namespace paraiso::cli
