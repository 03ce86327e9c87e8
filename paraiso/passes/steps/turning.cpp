#include "paraiso/passes/steps/turning.hpp"

#include <algorithm>

#include "paraiso/om/cells/sides.hpp"

namespace paraiso::passes {

using namespace om;

Axes cyclic_axes(const Static& variable) {
  Axes cyclic;
  for (const auto& sides : variable.boundary) cyclic.push_back(is_cyclic(sides));
  return cyclic;
}

namespace {

/// Whether a boundary kernel's result is periodic along `axis`: it uses no index of that axis and
/// loads no field (a field loaded at a ghost cell is extended by clamping).
bool goes_round(const Graph& graph, ValueId result, int axis) {
  const ValueId extra[] = {result};
  return std::ranges::none_of(canonical_order(graph, extra), [&](NodeId id) {
    const Node& node = graph.node(id);
    const auto* index = std::get_if<LoadIndex>(&node.instruction);
    return (index && index->axis == axis) || (std::holds_alternative<Load>(node.instruction) &&
                                              graph.type(node.first_result).is_local());
  });
}

/// A corner of the halo belongs to the last axis beyond whose end it lies. So the boundary kernel
/// of that axis also computes cells beyond the ends of earlier axes.
Axes load_axes(const Machine& machine, const Static& variable) {
  Axes axes = cyclic_axes(variable);
  for (std::size_t later = 1; later < axes.size(); ++later)
    for (const Boundary& side : variable.boundary[later]) {
      const auto* user = std::get_if<UserBoundary>(&side);
      if (!user) continue;
      const BoundaryKernel& kernel = machine.boundary_kernels[user->kernel.index];
      for (std::size_t a = 0; a < later; ++a)
        axes[a] = axes[a] && goes_round(kernel.graph, kernel.result, static_cast<int>(a));
    }
  return axes;
}

}  // namespace

std::vector<Axes> turning_axes(const Machine& machine, const Graph& graph) {
  std::vector<Axes> turning(graph.value_count());
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    Axes axes(graph.dimension(), true);
    if (const auto* index = std::get_if<LoadIndex>(&node.instruction)) axes[index->axis] = false;
    if (const auto* load = std::get_if<Load>(&node.instruction);
        load && graph.type(node.first_result).is_local())
      axes = load_axes(machine, machine.at(load->source));
    for (ValueId v : node.operands)
      for (std::size_t a = 0; a < axes.size(); ++a) axes[a] = axes[a] && turning[v.index][a];
    for (int r = 0; r < node.result_count; ++r) turning[node.first_result.index + r] = axes;
  }
  return turning;
}

}  // namespace paraiso::passes
