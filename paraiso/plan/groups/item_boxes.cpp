#include "paraiso/plan/groups/item_boxes.hpp"

#include <algorithm>

#include "paraiso/plan/groups/edge_fills.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// A tile at the grid's edge contains all sources of its ghost cells.
void reach_sources(const GroupValues& items, GroupValue& item) {
  for (int a = 0; a < items.graph.dimension(); ++a) {
    if (!item.state->filled[a]) continue;
    item.reach.upper[a] = std::max(item.reach.upper[a], farthest_source(items, item, a, false));
    item.reach.lower[a] = std::max(item.reach.lower[a], farthest_source(items, item, a, true));
  }
}

}  // namespace

void find_boxes(GroupValues& items) {
  const Extent core(items.graph.dimension());
  for (GroupValue& item : items.list) {
    item.box = item.made ? items.box : core;
    item.reach = core;
  }
  widen_boxes(items);
}

/// Whatever is read on a box is computed there.
void widen_boxes(GroupValues& items) {
  for (auto item = items.list.rbegin(); item != items.list.rend(); ++item) {
    if (item->state) reach_sources(items, *item);
    for (const ValueAt& read : item->reads) {
      items.producer(read).box.include(made_box(*item), read.offset);
      items.producer(read).reach.include(item->reach, read.offset);
    }
  }
}

}  // namespace paraiso::plan
