// make_stages: the loops of a group: what each computes, buffers, writes, reduces and fills.
// Gives: make_stages. Needs: group_items after all its phases, edge_fills.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Leaves out buffers that nothing reads. The lengths of the others are not known yet: buffer_lines
/// sets them.
[[nodiscard]] Group make_stages(const GroupValues& items);

}  // namespace paraiso::plan
