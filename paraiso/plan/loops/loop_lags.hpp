// loop_lags: how far each loop lies behind those that it reads: its lag in a sweep, its slope in a
// split group. Gives: find_lags, find_slopes. Needs: group_items, edge_fills.
//
// A value that is read at offset d must be made before its reader:
//
//   lag(value) + d <= lag(reader)      in the order of the sweep, for every offset d
//
// Lags are vectors over the sweep's axes, and 0 along others.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets `lag`. What is read is made as late as its readers allow, so that little of it is kept.
void find_lags(GroupItems& items);

/// Sets `lag` and `slope` in a split group. A loop lies as far behind an earlier one as what it
/// reads of it; and as what that one reads, which may be overwritten from here on. Along the cut
/// that moves the ends of tiles, along the sweep it is the lag.
void find_slopes(GroupItems& items);

}  // namespace paraiso::plan
