// make_stages: the loops of a group: what each computes, keeps, writes, reduces and fills.
// Gives: make_stages. Needs: group_items with all that its phases find, edge_fills, vector_form.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// Buffers that nothing reads are left out. How many lines of the others are kept is not known yet:
/// that is for buffer_lines to say.
[[nodiscard]] Group make_stages(const GroupItems& items);

}  // namespace paraiso::plan
