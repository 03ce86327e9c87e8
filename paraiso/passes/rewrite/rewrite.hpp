// rewrite: walks a graph's live nodes and builds a new one through Graph::add.
// Gives: RewriteRule, rewrite, rewrite_machine, use_counts. Needs: om.
#pragma once

#include <functional>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

/// What a rule sees: a node of the old graph, its operands already in the new one.
struct Site {
  const om::Graph& before;
  om::Graph& after;
  om::NodeId id;
  std::span<const om::ValueId> operands;
  int result = 0;  // which of the node's results is to be replaced

  [[nodiscard]] const om::Node& node() const { return before.node(id); }
  /// Adds an instruction to the new graph at the old node's place.
  om::ValueId add(om::Instruction instruction, std::initializer_list<om::ValueId> operands) const;
  om::ValueId arith(om::Op op, std::initializer_list<om::ValueId> operands) const {
    return add(om::Arith{op, om::Element::f64}, operands);
  }
  om::ValueId imm(om::Constant value, om::Realm realm) const;
};

/// Returns the value that replaces a result of the node, or nothing to keep it.
using RewriteRule = std::function<std::optional<om::ValueId>(const Site&)>;

/// The live part of `graph` with `rule` applied once to every result of every node.
/// `results` (values of `graph`) are kept alive and renamed to the new graph's ids.
[[nodiscard]] om::Graph rewrite(const om::Graph& graph, const RewriteRule& rule,
                                std::span<om::ValueId> results = {});

/// rewrite over every kernel and boundary kernel; `make_rule` is called once per graph.
[[nodiscard]] om::Machine rewrite_machine(
    const om::Machine& machine, const std::function<RewriteRule(const om::Graph&)>& make_rule);

/// How often each value is an operand of a live node; indexed by ValueId.
[[nodiscard]] std::vector<int> use_counts(const om::Graph& graph,
                                          std::span<const om::ValueId> results = {});

}  // namespace paraiso::passes
