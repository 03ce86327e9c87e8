#include "paraiso/passes/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::vector<Extent> footprints(const Graph& graph) {
  const Extent core(graph.dimension());
  std::vector<Extent> extents(graph.value_count());
  auto order = canonical_order(graph);
  for (auto id = order.rbegin(); id != order.rend(); ++id) {  // users before operands
    const Node& node = graph.node(*id);
    Extent box = core;  // of Stores and Reduces; two results of one node share a box
    for (int r = 0; r < node.result_count; ++r)
      if (const auto& result = extents[node.first_result.index + r];
          !result.lower.empty() && !std::holds_alternative<Reduce>(node.instruction))
        box.include(result);
    for (ValueId v : node.operands) {
      auto& extent = extents[v.index];
      if (extent.lower.empty()) extent = core;
      Offset offset(graph.dimension(), 0);
      if (const auto* shift = std::get_if<Shift>(&node.instruction))
        std::ranges::transform(shift->offset, offset.begin(), std::negate<>());
      if (graph.type(v).realm == Realm::local) extent.include(box, offset);
    }
  }
  return extents;
}

std::vector<Extent> halo_widths(const Graph& graph) {
  std::vector<Extent> widths(graph.signature().statics.size(), Extent(graph.dimension()));
  auto extents = footprints(graph);
  for (std::size_t v = 0; v < extents.size(); ++v)
    if (const auto* load = graph.producer_as<Load>(ValueId(v)); load && !extents[v].lower.empty())
      widths[load->source.index].include(extents[v]);
  return widths;
}

}  // namespace paraiso::passes
