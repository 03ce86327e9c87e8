// item_boxes: on which cells each item of a group is needed. Gives: find_boxes, widen_boxes.
// Needs: group_items, edge_fills.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets `box` and `reach`, from what items read.
void find_boxes(GroupItems& items);

/// The same from boxes that are already there, some of them wider than needed.
void widen_boxes(GroupItems& items);

}  // namespace paraiso::plan
