#include "paraiso/plan/cpu/overlap.hpp"

#include <algorithm>

#include "paraiso/om/cells/reads.hpp"

namespace paraiso::plan {
namespace {

/// Sides are filled again when messages have come. By then a group may have overwritten what a
/// boundary kernel reads.
bool sides_read_fields(const om::Machine& machine) {
  return std::ranges::any_of(machine.boundary_kernels, [](const auto& kernel) {
    const auto reads = om::reads_of(kernel.graph, kernel.result);
    return std::ranges::any_of(reads, [](const auto& step) { return !step.second.empty(); });
  });
}

}  // namespace

const Group& first_group(const KernelPlan& kernel) {
  const auto step = std::ranges::find_if(kernel.steps, [](const auto& s) { return s.group >= 0; });
  return kernel.groups[static_cast<std::size_t>(step->group)];
}

std::string why_blocking(const om::Machine& machine, const KernelPlan& kernel) {
  if (std::ranges::all_of(kernel.halo, [](const Extent& halo) { return halo.is_core(); }))
    return "it reads no neighbours";
  if (om::reads_between_steps(kernel.kernel->graph)) return "sides lie between its steps";
  if (sides_read_fields(machine)) return "boundary kernels read fields";
  // Groups of any other form overwrite no array in which they read neighbours.
  if (first_group(kernel).form == Form::split) return "tiles of group 1 shrink and grow";
  return {};
}

void overlap(const om::Machine& machine, KernelPlan& kernel) {
  if (!why_blocking(machine, kernel).empty()) return;
  Extent reach(machine.dimension);
  for (const Extent& halo : kernel.halo)
    if (!halo.lower.empty()) reach.include(halo);
  const auto number = static_cast<std::size_t>(&first_group(kernel) - kernel.groups.data());
  kernel.groups[number].cpu.overlapped = std::move(reach);
}

}  // namespace paraiso::plan
