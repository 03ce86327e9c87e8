#include "paraiso/passes/analysis/step_chain.hpp"

namespace paraiso::passes {

using namespace om;

int last_step(const Graph& graph) {
  const auto& stores = graph.stores();  // in order of steps
  return stores.empty() ? 0 : std::get<Store>(graph.node(stores.back()).instruction).step;
}

StepChain::StepChain(const Graph& graph)
    : graph_(graph),
      read_(graph.value_count()),
      rank_(graph.value_count()),
      last_step_(last_step(graph)) {
  for (NodeId id : graph.stores()) {
    const Node& node = graph.node(id);
    const auto& store = std::get<Store>(node.instruction);
    stored_[{store.target, store.step}] = node.operands[0];
  }
  int next = 0;
  // Canonical order begins with all that a step's Stores need, before the next step's Loads.
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    for (int r = 0; r < node.result_count; ++r) rank_[node.first_result.index + r] = next++;
    if (const auto* load = std::get_if<Load>(&node.instruction); load && load->step > 0)
      read_[node.first_result.index] = stored_.at({load->source, load->step - 1});
  }
}

std::span<const ValueId> StepChain::operands(ValueId value) const {
  if (is_inner(value)) return {&read_[value.index], 1};
  return graph_.producer(value).operands;
}

std::optional<ValueId> StepChain::latest(StaticId id, int step) const {
  auto after = stored_.lower_bound({id, step});
  if (after == stored_.begin() || (--after)->first.first != id) return std::nullopt;
  return after->second;
}

}  // namespace paraiso::passes
