// buffer_lines: how many lines (rows, planes, ...) of each buffer a thread keeps in a sweep, and
// how far they reach. Gives: count_lines, widen_buffers. Needs: make_stages, edge_fills.
//
// The loop at row r makes row r - lag. How many rows are kept follows from the oldest that is still
// read. Where values share a loop, the newest row of one that another reads is in a register, and
// older ones are read just before the newest takes their place.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets Buffer::lines. Along axes where only the newest is read one line is kept, along the first
/// other one as many as are read, along the rest all. The oldest needs no line of its own where it
/// is read before the newest, which takes its place, gets as far.
void count_lines(const GroupItems& items, Group& group);

/// Sets Buffer::reach along the sweep. A loop may run at rows where not all of its values are
/// needed: these have their place too.
void widen_buffers(Group& group);

}  // namespace paraiso::plan
