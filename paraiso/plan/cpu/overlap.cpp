#include "paraiso/plan/cpu/overlap.hpp"

#include <algorithm>
#include <set>

#include "paraiso/om/reads.hpp"

namespace paraiso::plan {
namespace {

bool has_sides_between_steps(const om::Graph& graph) {
  const auto reads = om::reads_of(graph);
  return std::ranges::any_of(reads, [](const auto& step) { return step.first > 0; });
}

/// Sides are filled again when messages have come. By then a group may have overwritten what a
/// boundary kernel reads.
bool sides_read_fields(const om::Machine& machine) {
  return std::ranges::any_of(machine.boundary_kernels, [](const auto& kernel) {
    const auto reads = om::reads_of(kernel.graph, kernel.result);
    return std::ranges::any_of(reads, [](const auto& step) { return !step.second.empty(); });
  });
}

/// Whether a group overwrites an array in which it also reads neighbours: then the cells that were
/// computed first would be missing as they were.
bool overwrites_neighbours(const KernelPlan& kernel, const Group& group) {
  std::set<ArrayRef> read_beside;
  for (const Stage& stage : group.stages)
    for (const Term& term : stage.expansion.terms)
      if (const auto array = kernel.array_read(group, term))
        if (std::ranges::any_of(term.offset, [](auto cells) { return cells != 0; }))
          read_beside.insert(*array);
  for (const Stage& stage : group.stages)
    for (const Output& output : stage.outputs)
      if (read_beside.contains(output.array)) return true;
  return false;
}

const Group& first_group(const KernelPlan& kernel) {
  const auto step = std::ranges::find_if(kernel.steps, [](const auto& s) { return s.group >= 0; });
  return kernel.groups[static_cast<std::size_t>(step->group)];
}

}  // namespace

std::string why_blocking(const om::Machine& machine, const KernelPlan& kernel) {
  if (std::ranges::all_of(kernel.halo, [](const Extent& halo) { return halo.is_core(); }))
    return "it reads no neighbours";
  if (kernel.groups.empty()) return "it has no loops";
  if (has_sides_between_steps(kernel.kernel->graph)) return "sides lie between its steps";
  if (sides_read_fields(machine)) return "boundary kernels read fields";
  const Group& group = first_group(kernel);
  if (group.form == Form::split) return "tiles of group 1 shrink and grow";
  if (overwrites_neighbours(kernel, group)) return "group 1 overwrites an array that it reads";
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
