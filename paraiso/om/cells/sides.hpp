// The two sides of one axis of a Local. Gives: is_cyclic, read_by_sides. Needs: Machine.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

/// Whether the axis goes on at its other end: both sides are cyclic, or none is.
[[nodiscard]] bool is_cyclic(const std::array<Boundary, 2>& sides);

/// The statics from which boundary kernels make the ghost cells of that axis.
[[nodiscard]] std::vector<StaticId> read_by_sides(const Machine& machine,
                                                  const std::array<Boundary, 2>& sides);

}  // namespace paraiso::om
