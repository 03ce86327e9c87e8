#include "paraiso/passes/cost.hpp"

#include <algorithm>
#include <map>

namespace paraiso::passes {

using namespace om;

bool divides(Op op) { return op == Op::div || op == Op::inv || op == Op::sqrt; }

namespace {

/// Of each static, the last step that stores it: the one whose Store takes effect.
std::map<StaticId, int> last_stores(const Graph& graph) {
  std::map<StaticId, int> last;
  for (NodeId id : graph.stores()) {
    const auto& store = std::get<Store>(graph.node(id).instruction);
    int& step = last[store.target];
    step = std::max(step, store.step);
  }
  return last;
}

}  // namespace

Cost cost_of(const Graph& graph) {
  Cost cost;
  const auto last = last_stores(graph);
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    if (const auto* load = std::get_if<Load>(&node.instruction)) {
      if (load->step > 0 || graph.type(node.first_result).realm == Realm::global) continue;
      ++cost.loads;
      cost.bytes += size_of(graph.signature().statics[load->source.index].type.element);
    } else if (const auto* store = std::get_if<Store>(&node.instruction)) {
      if (store->step < last.at(store->target)) continue;
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
