// buffer_lines: the length of each rolling buffer in lines (rows, planes, ...), and how far the
// lines reach. Gives: count_lines, widen_buffers. Needs: make_stages, edge_fills.
//
// The loop at row r computes row r - lag. The live range of a row ends with its last reader, so the
// oldest row that is read gives the length. Where values share a loop, the newest row of one that
// another reads is in a register, and older rows are read just before the newest replaces them.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Sets Buffer::lines: one line along axes where only the newest is read, as many as are live along
/// the first other axis, all along the rest. The oldest needs no line of its own where it is read
/// before the newest, which replaces it, is written.
void count_lines(const GroupValues& items, Group& group);

/// Sets Buffer::reach along the sweep. A loop may run at rows where some of its values are not
/// needed: the buffer has room for these too.
void widen_buffers(Group& group);

}  // namespace paraiso::plan
