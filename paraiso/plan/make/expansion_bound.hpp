// expansion_bound: an upper bound of the size of any loop body, without expanding one.
// Gives: expansion_bound. Needs: choices.
//
// Computes per value the box of all offsets at which some body needs it; a stored value begins a
// body of its own. A body has at most as many terms as these boxes have cells in total. This takes
// one walk over the graph; expanding takes one walk per body.
#pragma once

#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

/// At least the number of terms of any loop body under these choices.
[[nodiscard]] double expansion_bound(const om::Graph& graph, const KernelChoices& choices);

}  // namespace paraiso::plan
