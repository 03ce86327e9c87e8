#include "paraiso/passes/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

/// What is known of Loads when their values' users have been seen: by step and static.
using LoadExtents = std::map<std::pair<int, StaticId>, Extent>;

/// The box on which `node` reads its operands: of Stores and Reduces the core, unless `ahead` knows
/// of a Load that reads on from the Store. Two results of one node share a box.
Extent box_of(const Graph& graph, const Node& node, const std::vector<Extent>& extents,
              const LoadExtents& ahead) {
  Extent box(graph.dimension());
  if (std::holds_alternative<Reduce>(node.instruction)) return box;
  for (int r = 0; r < node.result_count; ++r)
    if (const auto& result = extents[node.first_result.index + r]; !result.lower.empty())
      box.include(result);
  if (const auto* store = std::get_if<Store>(&node.instruction))
    if (auto load = ahead.find({store->step + 1, store->target}); load != ahead.end())
      box.include(load->second);
  return box;
}

std::vector<Extent> footprints_of(const Graph& graph, bool recomputed) {
  std::vector<Extent> extents(graph.value_count());
  LoadExtents ahead;
  auto order = canonical_order(graph);
  // Users before operands; and as all Stores of a step come before the next step's Loads, those
  // Loads before the Stores.
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    const Node& node = graph.node(*id);
    if (const auto* load = std::get_if<Load>(&node.instruction); load && recomputed)
      ahead[{load->step, load->source}] = extents[node.first_result.index];
    const Extent box = box_of(graph, node, extents, ahead);
    for (ValueId v : node.operands) {
      auto& extent = extents[v.index];
      if (extent.lower.empty()) extent = Extent(graph.dimension());
      Offset offset(graph.dimension(), 0);
      if (const auto* shift = std::get_if<Shift>(&node.instruction))
        std::ranges::transform(shift->offset, offset.begin(), std::negate<>());
      if (graph.type(v).realm == Realm::local) extent.include(box, offset);
    }
  }
  return extents;
}

int last_step(const Graph& graph) {
  const auto stores = graph.stores();  // in order of steps
  return stores.empty() ? 0 : std::get<Store>(graph.node(stores.back()).instruction).step;
}

}  // namespace

std::vector<Extent> footprints(const Graph& graph) { return footprints_of(graph, false); }

std::vector<Extent> tile_footprints(const Graph& graph) { return footprints_of(graph, true); }

std::vector<std::vector<Extent>> halo_widths_by_step(const Graph& graph) {
  const std::vector<Extent> none(graph.signature().statics.size(), Extent(graph.dimension()));
  std::vector<std::vector<Extent>> widths(last_step(graph) + 1, none);
  auto extents = footprints(graph);
  for (std::size_t v = 0; v < extents.size(); ++v)
    if (const auto* load = graph.producer_as<Load>(ValueId(v)); load && !extents[v].lower.empty())
      widths[load->step][load->source.index].include(extents[v]);
  return widths;
}

std::vector<Extent> halo_widths(const Graph& graph) {
  const auto steps = halo_widths_by_step(graph);
  auto widths = steps[0];
  for (const auto& step : steps)
    for (std::size_t s = 0; s < widths.size(); ++s) widths[s].include(step[s]);
  return widths;
}

}  // namespace paraiso::passes
