// item_boxes: on which cells each item of a group is needed. Gives: find_boxes, widen_boxes.
// Needs: group_items, edge_fills.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets `box` and `reach` from the reads of all items.
void find_boxes(GroupValues& items);

/// The same, starting from existing boxes, some of which may be wider than needed.
void widen_boxes(GroupValues& items);

}  // namespace paraiso::plan
