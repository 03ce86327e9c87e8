#include "paraiso/runtime/fields/step_clock.hpp"

namespace paraiso::runtime {

std::optional<StepClock> StepClock::of(const om::Machine& machine, const passes::Fusion& fusion) {
  auto times = passes::extract_clock(machine, fusion);
  if (!times) return std::nullopt;
  StepClock clock(std::move(*times));
  for (std::size_t i = 0; i < machine.statics.size(); ++i)
    if (machine.statics[i].type.realm == om::Realm::global)
      clock.globals_.push_back(om::StaticId(i));
  return clock;
}

void StepClock::set(const Instance& instance) {
  state_ = {instance.size(), {}};
  for (const om::StaticId id : globals_) {
    const om::Constant value = instance.scalar(id);
    state_.arrays.push_back({value.element(), {value.bits()}});
  }
}

double StepClock::step() {
  om::interpret(machine_, *machine_.step_kernel(), state_);
  return state_.arrays[machine_.find_role(om::StaticRole::time)->index].at(0).to_double();
}

}  // namespace paraiso::runtime
