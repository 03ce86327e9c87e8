#include "paraiso/passes/turning.hpp"

namespace paraiso::passes {

using namespace om;

Axes cyclic_axes(const Static& variable) {
  Axes cyclic;
  for (const auto& sides : variable.boundary)
    cyclic.push_back(std::holds_alternative<Cyclic>(sides[0]));
  return cyclic;
}

std::vector<Axes> turning_axes(const Machine& machine, const Graph& graph) {
  std::vector<Axes> turning(graph.value_count());
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    Axes axes(graph.dimension(), true);
    if (const auto* index = std::get_if<LoadIndex>(&node.instruction)) axes[index->axis] = false;
    if (const auto* load = std::get_if<Load>(&node.instruction);
        load && graph.type(node.first_result).is_local())
      axes = cyclic_axes(machine.at(load->source));
    for (ValueId v : node.operands)
      for (std::size_t a = 0; a < axes.size(); ++a) axes[a] = axes[a] && turning[v.index][a];
    for (int r = 0; r < node.result_count; ++r) turning[node.first_result.index + r] = axes;
  }
  return turning;
}

}  // namespace paraiso::passes
