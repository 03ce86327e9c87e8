#include "paraiso/plan/groups/edge_fills.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

namespace {

const Boundary& side(const GroupValues& items, const GroupValue& item, int axis, bool upper) {
  return items.machine.at(rules_of(items.graph, item)).boundary[axis][upper];
}

bool reflects(const GroupValues& items, const GroupValue& item, int axis, bool upper) {
  return std::holds_alternative<Reflect>(side(items, item, axis, upper));
}

}  // namespace

StaticId rules_of(const Graph& graph, const GroupValue& item) {
  return graph.producer_as<Load>(item.value)->source;
}

Extent filled_width(const GroupValue& item) {
  Extent width = item.box;
  for (std::size_t a = 0; a < width.lower.size(); ++a)
    if (!item.state->filled[a]) width.lower[a] = width.upper[a] = 0;
  return width;
}

std::int32_t farthest_source(const GroupValues& items, const GroupValue& item, int axis,
                             bool upper) {
  const std::int32_t width = upper ? item.box.upper[axis] : item.box.lower[axis];
  return width > 0 && reflects(items, item, axis, upper) ? width - 1 : 0;
}

Offset farthest_fill(const GroupValues& items, const GroupValue& item) {
  Offset distance(items.graph.dimension(), 0);
  const Extent width = filled_width(item);
  for (int a = 0; a < items.graph.dimension(); ++a) {
    if (std::holds_alternative<Fixed>(side(items, item, a, true))) continue;
    distance[a] = width.upper[a] + farthest_source(items, item, a, true);
  }
  return distance;
}

Offset needed_at(const GroupValues& items, const GroupValue& reader, const ValueAt& read) {
  Offset offset = read.offset;
  const GroupValue& item = items.producer(read);
  if (!item.state) return offset;
  for (int axis : items.sweep) {
    const std::int32_t first = made_box(reader).lower[axis];  // the reader's first row is -first
    if (!item.state->filled[axis] || first - offset[axis] <= 0) continue;
    if (reflects(items, item, axis, false))
      offset[axis] = std::max(offset[axis], 2 * first - offset[axis] - 1);
    else if (std::holds_alternative<Outflow>(side(items, item, axis, false)))
      offset[axis] = std::max(offset[axis], first);
  }
  return offset;
}

}  // namespace paraiso::plan
