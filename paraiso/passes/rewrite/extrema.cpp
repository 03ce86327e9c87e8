// extrema: the lesser of a and b, and then the lesser of that and b, is one choice between a and b.
//
//   %3 = min %1 %2          %3 = min %1 %2
//   %4 = min %3 %1    ->    %4 = min %2 %1
//
// An extremum chooses its first operand where that compares as asked, else its second one: where an
// operand is NaN, the second. Nested ones choose, too, which of two zeros and whether NaN stays, so
// that no general rule (the inner one, say, which LLVM 14 takes if b is a constant) gives these
// bits. Here nothing is left of the pattern for a compiler to take up. That holds for an inner one
// of other cells, too, if the bound is the same there: loops compute it at those cells.
#include "paraiso/passes/rewrite/extrema.hpp"

#include <algorithm>

namespace paraiso::passes {

using namespace om;

namespace {

/// first if (first < second) else second; > if it is the greater one; <= or >= `where_equal`.
struct Extremum {
  bool greater, where_equal;
  ValueId first, second;
};

/// Cells of `value` that lie `offset` away.
struct Moved {
  ValueId value;
  Offset offset;
  friend bool operator==(const Moved&, const Moved&) = default;
};

/// Of a value that is shifted, perhaps several times, and then by `offset` more.
Moved without_shifts(const Graph& graph, ValueId v, Offset offset) {
  while (const auto* shift = graph.producer_as<Shift>(v)) {
    for (std::size_t a = 0; a < offset.size(); ++a) offset[a] += shift->offset[a];
    v = graph.producer(v).operands[0];
  }
  if (graph.producer_as<Broadcast>(v)) std::ranges::fill(offset, 0);
  return {v, std::move(offset)};
}

std::optional<Extremum> extremum_of_comparison(const Graph& graph, ValueId condition, ValueId a,
                                               ValueId b) {
  const Offset none(static_cast<std::size_t>(graph.dimension()));
  const auto [place, offset] = without_shifts(graph, condition, none);
  const auto* compared = graph.producer_as<Arith>(place);
  if (!compared) return std::nullopt;
  const bool greater = compared->op == Op::gt || compared->op == Op::ge;
  const bool where_equal = compared->op == Op::le || compared->op == Op::ge;
  if (!greater && !where_equal && compared->op != Op::lt) return std::nullopt;
  const auto& operands = graph.producer(place).operands;
  const Moved first = without_shifts(graph, operands[0], offset);
  const Moved second = without_shifts(graph, operands[1], offset);
  const Moved yes = without_shifts(graph, a, none), no = without_shifts(graph, b, none);
  if (first == yes && second == no) return Extremum{greater, where_equal, a, b};
  if (first == no && second == yes) return Extremum{!greater, where_equal, a, b};
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

/// None beyond the largest shift.
std::optional<ValueId> shifted(const Site& site, ValueId v, const Offset& offset) {
  auto [value, total] = without_shifts(site.after, v, offset);
  if (std::ranges::all_of(total, [](auto o) { return o == 0; })) return value;
  if (std::ranges::any_of(total, [](auto o) { return std::abs(o) > kLargestShift; }))
    return std::nullopt;
  return site.add(Shift{std::move(total)}, {value});
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
  const Offset none(static_cast<std::size_t>(site.after.dimension()));
  for (const auto& [nested, b] :
       {std::pair(outer->first, outer->second), std::pair(outer->second, outer->first)}) {
    const auto [place, offset] = without_shifts(site.after, nested, none);
    const auto* producer = site.after.producer_as<Arith>(place);
    if (!producer) continue;
    auto inner = extremum(site.after, producer, site.after.producer(place).operands);
    if (!inner || inner->greater != outer->greater) continue;
    const Moved bound = without_shifts(site.after, b, none);
    const bool first = without_shifts(site.after, inner->first, offset) == bound;
    if (!first && without_shifts(site.after, inner->second, offset) != bound) continue;
    const auto a = shifted(site, first ? inner->second : inner->first, offset);
    if (!a) continue;
    inner = {inner->greater, inner->where_equal, first ? b : *a, first ? *a : b};
    return add(site, joined(*outer, *inner, *a, b));
  }
  return std::nullopt;
}

Machine unnest_extrema(const Machine& machine) {
  return rewrite_machine(machine, [](const Graph&) { return RewriteRule(unnested); });
}

}  // namespace paraiso::passes
