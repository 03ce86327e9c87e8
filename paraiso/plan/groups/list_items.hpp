// list_items: which things the loops of a group make, in which form it is traversed, and what each
// of them reads of the others. Gives: list_items, find_reads. Needs: group_items.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// The members, which are places in `outputs.list`, and every value kept by a thread that they
/// need. The items point into `choices` and `outputs`.
[[nodiscard]] GroupItems list_items(const om::Machine& machine, const om::Graph& graph,
                                    const Choices& choices, const Outputs& outputs,
                                    const std::vector<int>& members);

/// Sets `expansion`, `reads` and `consumed`. An expansion that has more than `limit` terms is
/// returned instead.
[[nodiscard]] std::optional<Expansion> find_reads(GroupItems& items, std::size_t limit);

}  // namespace paraiso::plan
