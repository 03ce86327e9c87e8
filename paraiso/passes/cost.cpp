#include "paraiso/passes/cost.hpp"

namespace paraiso::passes {

using namespace om;

bool divides(Op op) { return op == Op::div || op == Op::inv || op == Op::sqrt; }

Cost cost_of(const Graph& graph) {
  Cost cost;
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    if (const auto* load = std::get_if<Load>(&node.instruction)) {
      if (graph.type(node.first_result).realm == Realm::global) continue;
      ++cost.loads;
      cost.bytes += size_of(graph.signature().statics[load->source.index].type.element);
    } else if (std::holds_alternative<Store>(node.instruction)) {
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
