// list_items: the items that the loops of a group compute, the form of its traversal, and what each
// item reads of the others. Gives: list_items, find_reads. Needs: group_items.
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// The members (places in `outputs.list`) and every buffer that they need. The items point into
/// `choices` and `outputs`.
[[nodiscard]] GroupValues list_items(const om::Machine& machine, const om::Graph& graph,
                                     const KernelChoices& choices, const KernelOutputs& outputs,
                                     const std::vector<int>& members);

/// Sets `expansion`, `reads` and `consumed`; or returns an expansion of more than `limit` terms.
[[nodiscard]] std::optional<Expansion> find_reads(GroupValues& items, std::size_t limit);

}  // namespace paraiso::plan
