#include "paraiso/plan/make/expansion_bound.hpp"

#include <algorithm>

#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

double cells(const passes::Extent& box) {
  double count = 1;
  for (std::size_t a = 0; a < box.lower.size(); ++a) count *= 1.0 + box.lower[a] + box.upper[a];
  return count;
}

/// Local values, users before operands.
std::vector<ValueId> users_first(const Graph& graph, const passes::StepChain& chain) {
  std::vector<ValueId> order;
  for (const NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    for (int r = 0; r < node.result_count; ++r)
      if (const ValueId v(node.first_result.index + r); graph.type(v).is_local())
        order.push_back(v);
  }
  std::ranges::sort(order, [&](ValueId a, ValueId b) { return chain.rank(a) > chain.rank(b); });
  return order;
}

}  // namespace

double expansion_bound(const Graph& graph, const KernelChoices& choices) {
  const passes::StepChain chain(graph);
  const passes::Extent core(graph.dimension());
  std::vector<passes::Extent> needed(graph.value_count(), core);
  double bound = 0;
  for (const ValueId value : users_first(graph, chain)) {
    const Node& node = graph.producer(value);
    Offset offset(graph.dimension(), 0);
    if (const auto* shift = std::get_if<Shift>(&node.instruction))
      std::ranges::transform(shift->offset, offset.begin(), std::negate<>());
    else
      bound += cells(needed[value.index]);
    if (std::holds_alternative<Broadcast>(node.instruction)) continue;
    const bool kept =
        is_materialisable(graph, value) && choices.storage[value.index] != Storage::inlined;
    for (const ValueId operand : chain.operands(value))
      needed[operand.index].include(kept ? core : needed[value.index], offset);
  }
  return bound;
}

}  // namespace paraiso::plan
