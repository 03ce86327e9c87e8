// turning: which values go round the grid.
// Gives: Axes, cyclic_axes, turning_axes. Needs: om.
//
// Along an axis that closes on itself a value that is computed beyond the core is the one on the
// other side: so long as all that it follows from is cyclic along that axis too, and no LoadIndex,
// which counts on, is among it.
#pragma once

#include <vector>

#include "paraiso/om/machine.hpp"

namespace paraiso::passes {

using Axes = std::vector<bool>;  // one an axis

[[nodiscard]] Axes cyclic_axes(const om::Static& variable);

/// Per live value of `graph`, along which axes it goes round. A Load does as its static does, but
/// where a boundary kernel of a later axis tells the cells beyond the ends from each other.
[[nodiscard]] std::vector<Axes> turning_axes(const om::Machine& machine, const om::Graph& graph);

}  // namespace paraiso::passes
