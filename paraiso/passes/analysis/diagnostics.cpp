#include "paraiso/passes/analysis/diagnostics.hpp"

#include <algorithm>

namespace paraiso::passes {
namespace {

/// By index of the static: whether a kernel loads it.
std::vector<bool> loaded_statics(const om::Machine& machine) {
  std::vector<bool> loaded(machine.statics.size());
  const auto collect = [&](const om::Graph& graph) {
    for (std::size_t i = 0; i < graph.node_count(); ++i)
      if (const auto* load = std::get_if<om::Load>(&graph.node(om::NodeId(i)).instruction))
        loaded[load->source.index] = true;
  };
  for (const om::Kernel& kernel : machine.kernels) collect(kernel.graph);
  for (const om::BoundaryKernel& kernel : machine.boundary_kernels) collect(kernel.graph);
  return loaded;
}

bool is_stored_by(const om::Kernel* kernel, om::StaticId target) {
  return kernel && std::ranges::any_of(kernel->graph.stores(), [&](om::NodeId store) {
           return std::get<om::Store>(kernel->graph.node(store).instruction).target == target;
         });
}

}  // namespace

std::vector<const om::Kernel*> diagnostics(const om::Machine& machine) {
  const std::vector<bool> loaded = loaded_statics(machine);
  const auto only_tells = [&](const om::Graph& graph, om::NodeId store) {
    const om::StaticId target = std::get<om::Store>(graph.node(store).instruction).target;
    const om::Static& entry = machine.at(target);
    return entry.role == om::StaticRole::plain && !loaded[target.index] &&
           (entry.type.realm == om::Realm::global || !is_stored_by(machine.step_kernel(), target));
  };
  std::vector<const om::Kernel*> found;
  for (const om::Kernel& kernel : machine.kernels)
    if (kernel.role == om::KernelRole::plain &&
        std::ranges::all_of(kernel.graph.stores(),
                            [&](om::NodeId store) { return only_tells(kernel.graph, store); }))
      found.push_back(&kernel);
  return found;
}

}  // namespace paraiso::passes
