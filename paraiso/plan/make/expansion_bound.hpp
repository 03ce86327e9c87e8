// expansion_bound: how large a loop body can be at most, without expanding any.
// Gives: expansion_bound. Needs: choices.
//
// Per value, the box of all displacements at which some body needs it; a value that is kept begins
// a body of its own. A body has at most as many terms as these boxes have cells together. One walk
// over the graph, where expanding takes one over each body.
#pragma once

#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

/// At least the number of terms of any loop body under these choices.
[[nodiscard]] double expansion_bound(const om::Graph& graph, const Choices& choices);

}  // namespace paraiso::plan
