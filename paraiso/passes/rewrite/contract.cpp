// contract: makes multiply-adds explicit, each rounded once. The mode `fma` is this pass and
// nothing else.
//
//   %2 = mul %0 %1        # used once
//   %4 = add %2 %3        ->  %4 = madd %0 %1 %3      (a*b + c)
//   %5 = sub %2 %3        ->  %5 = msub %0 %1 %3      (a*b - c)
//   %6 = sub %3 %2        ->  %6 = nmadd %0 %1 %3     (c - a*b)
//
// Fuses a product only if it disappears: it is used once (of two such operands, the left one is
// fused), or each of its uses is a sum or difference whose other operand stays. Annotations of its
// storage are ignored, for they may not change a bit: a product that disappears is not stored at
// all. Runs once, before anything that depends on the schedule, so that no schedule changes a bit.
#include "paraiso/passes/rewrite/contract.hpp"

#include "paraiso/passes/rewrite/rewrite.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

class Contract {
 public:
  explicit Contract(const Graph& graph) {
    const auto uses = use_counts(graph);
    const auto only_summed = [&](const std::vector<int>& sums, std::size_t v) {
      return uses[v] > 0 && sums[v] == uses[v] && is_mul(graph, ValueId(v));
    };
    const std::vector<bool> no_value(graph.value_count());
    const auto in_sums = uses_in_sums(graph, no_value);
    std::vector<bool> may_vanish = no_value;
    for (std::size_t v = 0; v < may_vanish.size(); ++v) may_vanish[v] = only_summed(in_sums, v);
    const auto beside_others = uses_in_sums(graph, may_vanish);
    vanishes_ = no_value;
    for (std::size_t v = 0; v < vanishes_.size(); ++v)
      vanishes_[v] = may_vanish[v] && (uses[v] == 1 || only_summed(beside_others, v));
  }

  std::optional<ValueId> operator()(const Site& site) const {
    if (!is_sum(site.before, site.node())) return std::nullopt;
    const bool sub = std::get<Arith>(site.node().instruction).op == Op::sub;
    if (is_product(site, 0)) return fuse(site, sub ? Op::msub : Op::madd, 0);
    if (is_product(site, 1)) return fuse(site, sub ? Op::nmadd : Op::madd, 1);
    return std::nullopt;
  }

 private:
  /// A sum or a difference of floats.
  static bool is_sum(const Graph& graph, const Node& node) {
    const auto* arith = std::get_if<Arith>(&node.instruction);
    return arith && (arith->op == Op::add || arith->op == Op::sub) &&
           is_float(graph.type(node.first_result).element);
  }
  static bool is_mul(const Graph& graph, ValueId value) {
    const auto* arith = graph.producer_as<Arith>(value);
    return arith && arith->op == Op::mul;
  }
  /// Per value, the number of sums in which the other operand is not one of `excluded`.
  static std::vector<int> uses_in_sums(const Graph& graph, const std::vector<bool>& excluded) {
    std::vector<int> counts(graph.value_count());
    for (NodeId id : canonical_order(graph)) {
      const Node& node = graph.node(id);
      if (!is_sum(graph, node)) continue;
      for (std::size_t k = 0; k < 2; ++k)
        if (!excluded[node.operands[1 - k].index]) ++counts[node.operands[k].index];
    }
    return counts;
  }
  /// Operand k was a product that may vanish, and still is a product in the new graph.
  [[nodiscard]] bool is_product(const Site& site, std::size_t k) const {
    const ValueId old = site.node().operands[k];
    return vanishes_[old.index] && is_mul(site.after, site.operands[k]);
  }
  static ValueId fuse(const Site& site, Op op, std::size_t product) {
    const auto& factors = site.after.producer(site.operands[product]).operands;
    return site.arith(op, {factors[0], factors[1], site.operands[1 - product]});
  }

  std::vector<bool> vanishes_;
};

}  // namespace

Machine contract(const Machine& machine) {
  return rewrite_machine(machine, [](const Graph& graph) { return RewriteRule(Contract(graph)); });
}

}  // namespace paraiso::passes
