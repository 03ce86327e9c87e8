#include "paraiso/passes/analysis/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/passes/analysis/step_chain.hpp"

namespace paraiso::passes {

using namespace om;

void Extent::include(const Extent& box, const Offset& offset) {
  for (std::size_t a = 0; a < lower.size(); ++a) {
    lower[a] = std::max(lower[a], box.lower[a] - offset[a]);
    upper[a] = std::max(upper[a], box.upper[a] + offset[a]);
  }
}

void Extent::include(const Extent& box) { include(box, Offset(lower.size(), 0)); }

bool Extent::is_core() const {
  auto zero = [](std::int32_t width) { return width == 0; };
  return std::ranges::all_of(lower, zero) && std::ranges::all_of(upper, zero);
}

std::string Extent::text() const {
  std::string text;
  for (std::size_t a = 0; a < lower.size(); ++a) {
    text += a ? " x [" : "[";
    text += lower[a] ? fmt::format("-{}, N", lower[a]) : "0, N";
    text += upper[a] ? fmt::format("+{})", upper[a]) : ")";
  }
  return text;
}

namespace {

/// The box on which `node` reads its operands: the core for Stores and Reduces, the hull of both
/// results' boxes for a node with two results.
Extent box_of(const Graph& graph, const Node& node, const std::vector<Extent>& extents) {
  Extent box(graph.dimension());
  if (std::holds_alternative<Reduce>(node.instruction)) return box;
  for (int r = 0; r < node.result_count; ++r)
    if (const auto& result = extents[node.first_result.index + r]; !result.lower.empty())
      box.include(result);
  return box;
}

}  // namespace

std::vector<Extent> footprints(const Graph& graph, const StandsFor& stands_for) {
  std::vector<Extent> extents(graph.value_count());
  const Offset none(graph.dimension(), 0);
  const auto widen = [&](ValueId value, const Extent& box, const Offset& offset) {
    auto& extent = extents[value.index];
    if (extent.lower.empty()) extent = Extent(graph.dimension());
    if (graph.type(value).is_local()) extent.include(box, offset);
  };
  auto order = canonical_order(graph);
  // Users before operands, and the next step's Loads before all that a step's Stores need.
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    const Node& node = graph.node(*id);
    const Extent box = box_of(graph, node, extents);
    if (std::holds_alternative<Load>(node.instruction) && stands_for)
      if (const auto value = stands_for(node.first_result, box)) widen(*value, box, none);
    Offset offset = none;
    if (const auto* shift = std::get_if<Shift>(&node.instruction))
      std::ranges::transform(shift->offset, offset.begin(), std::negate<>());
    for (ValueId v : node.operands) widen(v, box, offset);
  }
  return extents;
}

}  // namespace paraiso::passes
