// loop_levels: which items share a loop, and in which order the loops run.
// Gives: find_levels, gather_divisions. Needs: group_items, item_boxes.
//
// Values that read each other at one index of the axes that are not swept may share one loop.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets `earliest` and `level`: first as early as possible, then as late as the readers allow, so
/// that a value and its reader share a loop. An item without readers joins the last loop of its
/// kind.
void find_levels(GroupValues& items);

/// A loop that divides and uses the quotient waits for the divider; two divisions can wait at the
/// same time. So a division leaves its readers' loop and moves to the last loop before it that also
/// divides, and is computed on as many cells.
void gather_divisions(GroupValues& items);

}  // namespace paraiso::plan
