#include "paraiso/runtime/run/still_time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::runtime {
namespace {

bool stores(const om::Kernel& kernel, om::StaticId id) {
  const auto stored = kernel.graph.stores();
  return std::ranges::any_of(stored, [&](om::NodeId node) {
    return std::get<om::Store>(kernel.graph.node(node).instruction).target == id;
  });
}

}  // namespace

std::string what_is_never_stored(const om::Machine& machine, const om::Kernel* initial) {
  const auto time = machine.find_role(om::StaticRole::time);
  const auto time_step = machine.find_role(om::StaticRole::time_step);
  const om::Kernel* const step = machine.step_kernel();
  if (time && step != nullptr && !stores(*step, *time))
    return fmt::format("kernel `{}` never stores `{}`, as `clock.advance()` does", step->name,
                       machine.at(*time).name);
  if (time_step && initial != nullptr && !stores(*initial, *time_step))
    return fmt::format("kernel `{}` never stores `{}`, as `clock.start(dt)` does", initial->name,
                       machine.at(*time_step).name);
  return {};
}

}  // namespace paraiso::runtime
