// loop_levels: which items share a loop, and in which order the loops run.
// Gives: find_levels, gather_divides. Needs: group_items, item_boxes.
//
// Values that read each other at one index of the axes that are not swept may share one loop.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets `earliest` and `level`. As early as possible first; then as late as its readers allow, so
/// that a value and its reader meet in one loop. What nothing reads joins the last loop of its
/// kind.
void find_levels(GroupItems& items);

/// A loop that divides and goes on with the quotient waits for the divider; two values that divide
/// can wait at the same time. So what divides leaves its readers' loop for the last loop before
/// that also divides, and is made on as many cells.
void gather_divides(GroupItems& items);

}  // namespace paraiso::plan
