// loop_lags: how far each loop stays behind the loops that it reads: its lag in a sweep, its slope
// in a split group. Gives: find_lags, find_slopes. Needs: group_items, edge_fills.
//
// A value that is read at offset d must be computed before its reader:
//
//   lag(value) + d <= lag(reader)      in the order of the sweep, for every offset d
//
// Lags are vectors over the sweep's axes, and 0 along others.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets `lag`. Values are computed as late as their readers allow, which keeps live ranges short.
void find_lags(GroupValues& items);

/// Sets `lag` and `slope` in a split group. A loop stays behind an earlier loop by the offsets at
/// which it reads that loop's results, and by the offsets of that loop's own reads, whose arrays
/// may be overwritten from now on. Along the cut this moves the ends of tiles (slope), along the
/// sweep it is the lag.
void find_slopes(GroupValues& items);

}  // namespace paraiso::plan
