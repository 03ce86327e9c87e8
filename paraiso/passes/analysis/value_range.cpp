#include "paraiso/passes/analysis/value_range.hpp"

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

/// None where the exact result may not fit 64 bits.
using Exact = std::optional<Range>;

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
    const auto rule = info(arith.op).range;
    return rule ? rule(operands) : std::nullopt;
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
