#include "paraiso/passes/value_range.hpp"

#include <algorithm>
#include <array>

namespace paraiso::passes {

using namespace om;

namespace {

constexpr Range kTruth{0, 1};

Range all_of(Element element) {
  switch (element) {
    case Element::boolean: return kTruth;
    case Element::i32: return {INT32_MIN, INT32_MAX};
    default: return {INT64_MIN, INT64_MAX};
  }
}

bool holds(const Range& outer, const Range& inner) {
  return outer.lowest <= inner.lowest && inner.highest <= outer.highest;
}

Range unite(const Range& a, const Range& b) {
  return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

/// Where the exact result may not fit 64 bits there is none.
using Exact = std::optional<Range>;

Exact sum(const Range& a, const Range& b) {
  Range r{};
  if (__builtin_add_overflow(a.lowest, b.lowest, &r.lowest) ||
      __builtin_add_overflow(a.highest, b.highest, &r.highest))
    return {};
  return r;
}

Exact difference(const Range& a, const Range& b) {
  Range r{};
  if (__builtin_sub_overflow(a.lowest, b.highest, &r.lowest) ||
      __builtin_sub_overflow(a.highest, b.lowest, &r.highest))
    return {};
  return r;
}

Exact product(const Range& a, const Range& b) {
  std::array<std::int64_t, 4> corners{};
  if (__builtin_mul_overflow(a.lowest, b.lowest, &corners[0]) ||
      __builtin_mul_overflow(a.lowest, b.highest, &corners[1]) ||
      __builtin_mul_overflow(a.highest, b.lowest, &corners[2]) ||
      __builtin_mul_overflow(a.highest, b.highest, &corners[3]))
    return {};
  return Range{*std::ranges::min_element(corners), *std::ranges::max_element(corners)};
}

Exact magnitude(const Range& a) {
  if (a.lowest >= 0) return a;
  const Exact mirrored = difference({0, 0}, a);
  if (!mirrored) return {};
  return Range{0, std::max(a.highest, mirrored->highest)};
}

/// The upper end of a range without negative values, the lesser where both are such.
std::int64_t least_positive(const Range& a, const Range& b) {
  if (a.lowest < 0) return b.highest;
  return b.lowest < 0 ? a.highest : std::min(a.highest, b.highest);
}

std::int64_t sign(std::int64_t value) { return (value > 0) - (value < 0); }

/// All integers of as many bits as the longest of two ranges has, negative ones if these have any.
Range same_bits(const Range& a, const Range& b) {
  std::uint64_t bits = 0;
  for (const std::int64_t end : {a.lowest, a.highest, b.lowest, b.highest})
    bits |= static_cast<std::uint64_t>(end < 0 ? ~end : end);
  for (int shift = 1; shift < 64; shift *= 2) bits |= bits >> shift;
  const auto highest = static_cast<std::int64_t>(bits);
  return {std::min(a.lowest, b.lowest) < 0 ? ~highest : 0, highest};
}

/// Of an Arith on integers, or on truths, that makes an integer.
Exact combine(Op op, std::span<const Range> x) {
  switch (op) {
    case Op::identity:
    case Op::cast: return x[0];
    case Op::add: return sum(x[0], x[1]);
    case Op::sub: return difference(x[0], x[1]);
    case Op::neg: return difference({0, 0}, x[0]);
    case Op::mul: return product(x[0], x[1]);
    case Op::abs: return magnitude(x[0]);
    case Op::signum: return Range{sign(x[0].lowest), sign(x[0].highest)};
    case Op::min:
      return Range{std::min(x[0].lowest, x[1].lowest), std::min(x[0].highest, x[1].highest)};
    case Op::max:
      return Range{std::max(x[0].lowest, x[1].lowest), std::max(x[0].highest, x[1].highest)};
    case Op::not_: return Range{~x[0].highest, ~x[0].lowest};
    case Op::and_:
      if (x[0].lowest >= 0 || x[1].lowest >= 0) return Range{0, least_positive(x[0], x[1])};
      [[fallthrough]];
    case Op::or_:
    case Op::xor_: return same_bits(x[0], x[1]);
    case Op::select: return unite(x[1], x[2]);
    default: return {};
  }
}

class RangeFinder {
 public:
  explicit RangeFinder(const Graph& graph) : graph_(graph), ranges_(graph.value_count()) {}

  std::vector<std::optional<Range>> run() {
    for (std::uint32_t n = 0; n < graph_.node_count(); ++n) {
      const Node& node = graph_.node(NodeId(n));
      for (int r = 0; r < node.result_count; ++r) {
        const ValueId value(node.first_result.index + r);
        const Element element = graph_.type(value).element;
        if (is_float(element)) continue;
        const Exact exact = range_of(node, element);
        const Range all = all_of(element);
        ranges_[value.index] = exact && holds(all, *exact) ? *exact : all;
      }
    }
    return std::move(ranges_);
  }

 private:
  [[nodiscard]] Exact range_of(const Node& node, Element element) const {
    return std::visit(
        Overload{[&](const Imm& imm) -> Exact { return range_of(imm.value); },
                 [&](const Broadcast&) -> Exact { return ranges_[node.operands[0].index]; },
                 [&](const Shift&) -> Exact { return ranges_[node.operands[0].index]; },
                 [&](const LoadSize&) -> Exact {
                   return Range{1, INT64_MAX};
                 },
                 [&](const Arith& arith) { return range_of(arith, node, element); },
                 [](const auto&) -> Exact { return {}; }},
        node.instruction);
  }

  static Range range_of(const Constant& constant) {
    const auto value = static_cast<std::int64_t>(constant.bits());
    return {value, value};
  }

  [[nodiscard]] Exact range_of(const Arith& arith, const Node& node, Element element) const {
    if (element == Element::boolean) return {};
    std::vector<Range> operands;
    for (ValueId v : node.operands) {
      if (!ranges_[v.index]) return {};
      operands.push_back(*ranges_[v.index]);
    }
    return combine(arith.op, operands);
  }

  const Graph& graph_;
  std::vector<std::optional<Range>> ranges_;
};

}  // namespace

std::vector<std::optional<Range>> value_ranges(const Graph& graph) {
  return RangeFinder(graph).run();
}

Lane lane_of(Element element) {
  switch (element) {
    case Element::boolean: return Lane::boolean;
    case Element::i32: return Lane::i32;
    case Element::i64: return Lane::i64;
    case Element::f32: return Lane::f32;
    case Element::f64: break;
  }
  return Lane::f64;
}

std::size_t size_of(Lane lane) {
  switch (lane) {
    case Lane::boolean:
    case Lane::i8: return 1;
    case Lane::i16: return 2;
    case Lane::i32:
    case Lane::f32: return 4;
    case Lane::i64:
    case Lane::f64: break;
  }
  return 8;
}

Lane lane_of(const Range& range) {
  if (holds({INT8_MIN, INT8_MAX}, range)) return Lane::i8;
  if (holds({INT16_MIN, INT16_MAX}, range)) return Lane::i16;
  if (holds({INT32_MIN, INT32_MAX}, range)) return Lane::i32;
  return Lane::i64;
}

Lane storage_lane(Element element, const std::optional<Range>& range) {
  return is_integer(element) && range ? lane_of(*range) : lane_of(element);
}

}  // namespace paraiso::passes
