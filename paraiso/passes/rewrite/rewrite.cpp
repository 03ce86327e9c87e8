#include "paraiso/passes/rewrite/rewrite.hpp"

#include <array>

namespace paraiso::passes {

using namespace om;

namespace {

const std::string& scope_of(const Graph& graph, const Node& node) {
  static const std::string none;
  return node.result_count > 0 ? graph.scope(node.first_result) : none;
}

}  // namespace

ValueId Site::add(Instruction instruction, std::initializer_list<ValueId> operands) const {
  return after.add(std::move(instruction), operands, node().location, scope_of(before, node()));
}

ValueId Site::imm(Constant value, Realm realm) const {
  ValueId scalar = add(Imm{value}, {});
  return realm == Realm::global ? scalar : add(Broadcast{}, {scalar});
}

Graph rewrite(const Graph& graph, const RewriteRule& rule, std::span<ValueId> results) {
  Graph after(graph.signature_pointer());
  std::vector<ValueId> renamed(graph.value_count());
  for (NodeId id : canonical_order(graph, results)) {
    const Node& node = graph.node(id);
    std::vector<ValueId> operands;
    for (ValueId v : node.operands) operands.push_back(renamed[v.index]);
    std::array<std::optional<ValueId>, 2> replaced;
    int count = 0;
    for (int r = 0; r < node.result_count; ++r)
      if ((replaced[r] = rule(Site{graph, after, id, operands, r}))) ++count;
    ValueId kept;
    if (node.result_count == 0 || count < node.result_count)
      kept = after.add(node.instruction, operands, node.location, scope_of(graph, node));
    for (int r = 0; r < node.result_count; ++r) {
      const ValueId from(node.first_result.index + r);
      const ValueId to = replaced[r] ? *replaced[r] : ValueId(kept.index + r);
      renamed[from.index] = to;
      after.inherit(to, graph, from);
    }
  }
  for (ValueId& v : results) v = renamed[v.index];
  return after;
}

Machine rewrite_machine(const Machine& machine,
                        const std::function<RewriteRule(const Graph&)>& make_rule) {
  Machine after = machine;
  for (auto& kernel : after.kernels) kernel.graph = rewrite(kernel.graph, make_rule(kernel.graph));
  for (auto& kernel : after.boundary_kernels)
    kernel.graph = rewrite(kernel.graph, make_rule(kernel.graph), std::span(&kernel.result, 1));
  return after;
}

std::vector<int> use_counts(const Graph& graph, std::span<const ValueId> results) {
  std::vector<int> counts(graph.value_count());
  for (NodeId id : canonical_order(graph, results))
    for (ValueId v : graph.node(id).operands) ++counts[v.index];
  for (ValueId v : results) ++counts[v.index];
  return counts;
}

}  // namespace paraiso::passes
