#include "paraiso/runtime/run/stepper.hpp"

#include <fmt/format.h>

#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/run/ahead.hpp"

namespace paraiso::runtime {
namespace {

const om::Kernel& step_kernel(const om::Machine& machine) {
  if (const auto* kernel = machine.step_kernel()) return *kernel;
  throw Error(fmt::format("machine `{}` has no step kernel to run", machine.name));
}

}  // namespace

Stepper::Stepper(Instance& instance, passes::Fusion fusion)
    : instance_(instance),
      fusion_(std::move(fusion)),
      kernel_(step_kernel(instance.machine()).name) {
  const auto& machine = instance_.machine();
  if (stride() == 1) return;
  const om::Kernel& fused = find_kernel(machine, fusion_.kernel);
  strides_ = !instance_.is_divided() || runs_on_ranks(fused);
  clock_ = StepClock::of(machine, fusion_);
}

std::optional<std::vector<double>> Stepper::times_ahead() {
  if (!clock_) return std::nullopt;
  clock_->set(instance_);
  std::vector<double> times;
  for (int step = 0; step < stride(); ++step) times.push_back(clock_->step());
  return times;
}

void Stepper::take_one(std::int64_t step) {
  std::vector<om::Constant> before;
  for (om::StaticId id : fusion_.held) before.push_back(instance_.scalar(id));
  instance_.run(kernel_);
  if ((step + 1) % stride() == 0) return;
  for (std::size_t i = 0; i < before.size(); ++i) instance_.set_scalar(fusion_.held[i], before[i]);
}

void Stepper::take(std::int64_t step, std::int64_t count) {
  std::int64_t told = 0;
  for (const std::int64_t end = step + count; step < end;) {
    const bool at_once = may_stride(step) && step + stride() <= end;
    if (at_once)
      take_stride();
    else
      take_one(step);
    step += at_once ? stride() : 1;
    if (++told % kMostAhead == 0) instance_.finish();
  }
  instance_.finish();
}

}  // namespace paraiso::runtime
