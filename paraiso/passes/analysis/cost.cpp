#include "paraiso/passes/analysis/cost.hpp"

#include "paraiso/passes/analysis/step_chain.hpp"

namespace paraiso::passes {

using namespace om;

bool divides(Op op) {
  const Unit unit = info(op).unit;
  return unit == Unit::divider || unit == Unit::root;
}

Cost cost_of(const Graph& graph) {
  Cost cost;
  const int last = last_step(graph);
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    if (const auto* load = std::get_if<Load>(&node.instruction)) {
      if (load->step > 0 || graph.type(node.first_result).realm == Realm::global) continue;
      ++cost.loads;
      cost.bytes += size_of(graph.signature().statics[load->source.index].type.element);
    } else if (const auto* store = std::get_if<Store>(&node.instruction)) {
      if (store->step < last) continue;
      if (graph.type(node.operands[0]).realm == Realm::global) continue;
      ++cost.stores;
      cost.bytes += size_of(graph.type(node.operands[0]).element);
    } else if (const auto* arith = std::get_if<Arith>(&node.instruction)) {
      if (graph.type(node.first_result).realm == Realm::global) continue;
      ++cost.instructions;
      cost.operations += info(arith->op).cost;
      cost.divides += divides(arith->op);
    }
  }
  return cost;
}

}  // namespace paraiso::passes
