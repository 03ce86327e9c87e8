// extrema: the lesser of a and b, and then the lesser of that and b, is one choice between a and b.
//
//   %3 = min %1 %2          %3 = min %1 %2
//   %4 = min %3 %1    ->    %4 = min %2 %1
//
// An extremum chooses its first operand where that compares as asked, else its second one: where an
// operand is NaN, the second. Nested ones choose, too, which of two zeros and whether NaN stays, so
// that no general rule (the inner one, say, which LLVM 14 takes if b is a constant) gives these
// bits. Here nothing is left of the pattern for a compiler to take up.
#include "paraiso/passes/extrema.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

/// first if (first < second) else second; > if it is the greater one; <= or >= `where_equal`.
struct Extremum {
  bool greater, where_equal;
  ValueId first, second;
};

std::optional<Extremum> extremum_of_comparison(const Graph& graph, ValueId condition, ValueId a,
                                               ValueId b) {
  const auto* compared = graph.producer_as<Arith>(condition);
  if (!compared) return std::nullopt;
  const bool greater = compared->op == Op::gt || compared->op == Op::ge;
  const bool where_equal = compared->op == Op::le || compared->op == Op::ge;
  if (!greater && !where_equal && compared->op != Op::lt) return std::nullopt;
  const auto& operands = graph.producer(condition).operands;
  if (operands[0] == a && operands[1] == b) return Extremum{greater, where_equal, a, b};
  if (operands[0] == b && operands[1] == a) return Extremum{!greater, where_equal, a, b};
  return std::nullopt;
}

std::optional<Extremum> extremum(const Graph& graph, const Arith* arith,
                                 std::span<const ValueId> operands) {
  if (!arith) return std::nullopt;
  if (arith->op == Op::min || arith->op == Op::max)
    return Extremum{arith->op == Op::max, false, operands[0], operands[1]};
  if (arith->op == Op::select)
    return extremum_of_comparison(graph, operands[0], operands[1], operands[2]);
  return std::nullopt;
}

/// Of `a`, the inner one's other operand, and `b`, which both have. What two equal operands give,
/// zeros of both signs, and what one that is NaN does is the same whichever of the two it is.
Extremum joined(const Extremum& outer, const Extremum& inner, ValueId a, ValueId b) {
  const ValueId outer_not_less = outer.second == b ? b : a;  // where it is given `a`
  const ValueId not_less = inner.second == a ? outer_not_less : b;
  const ValueId inner_equal = inner.where_equal ? inner.first : inner.second;
  const ValueId outer_equal = (outer.where_equal ? outer.first : outer.second) == b ? b : a;
  const ValueId equal = inner_equal == a ? outer_equal : b;
  const ValueId first = not_less == a ? b : a;
  return {outer.greater, equal == first, first, not_less};
}

ValueId add(const Site& site, const Extremum& made) {
  if (!made.where_equal)
    return site.arith(made.greater ? Op::max : Op::min, {made.first, made.second});
  const ValueId condition = site.arith(made.greater ? Op::ge : Op::le, {made.first, made.second});
  return site.arith(Op::select, {condition, made.first, made.second});
}

}  // namespace

std::optional<ValueId> unnested(const Site& site) {
  const auto* arith = std::get_if<Arith>(&site.node().instruction);
  const auto outer = extremum(site.after, arith, site.operands);
  if (!outer || outer->first == outer->second) return std::nullopt;
  for (const auto [nested, b] :
       {std::pair(outer->first, outer->second), std::pair(outer->second, outer->first)}) {
    const auto* producer = site.after.producer_as<Arith>(nested);
    if (!producer) continue;
    const auto inner = extremum(site.after, producer, site.after.producer(nested).operands);
    if (!inner || inner->greater != outer->greater) continue;
    if (inner->first != b && inner->second != b) continue;
    return add(site, joined(*outer, *inner, inner->first == b ? inner->second : inner->first, b));
  }
  return std::nullopt;
}

Machine unnest_extrema(const Machine& machine) {
  return rewrite_machine(machine, [](const Graph&) { return RewriteRule(unnested); });
}

}  // namespace paraiso::passes
