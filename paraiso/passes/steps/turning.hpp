// turning: which values are periodic, and along which axes.
// Gives: Axes, cyclic_axes, turning_axes. Needs: om.
//
// Along a cyclic axis, a value computed beyond the core equals the one on the other side, if
// everything that it depends on is cyclic along that axis too and no LoadIndex, which counts on, is
// among it.
#pragma once

#include <vector>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

using Axes = std::vector<bool>;  // one an axis

[[nodiscard]] Axes cyclic_axes(const om::Static& variable);

/// Per live value of `graph`, the axes along which it is periodic. A Load is periodic like its
/// static, except where a boundary kernel of a later axis is not.
[[nodiscard]] std::vector<Axes> turning_axes(const om::Machine& machine, const om::Graph& graph);

}  // namespace paraiso::passes
