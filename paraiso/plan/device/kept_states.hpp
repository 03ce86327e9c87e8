// kept_states: states between fused steps that a block keeps on the chip: which can be, and whether
// a block has the cells that their ghost cells are filled from.
// Gives: may_be_kept, has_sources. Needs: plan, on_chip.
//
//   outflow on the left, two cells wide:   cells -1 and -2 are filled from cell 0
//
// A thread fills the ghost cells of its column: those beside the grid from another column of the
// same plane, those below the grid when the plane is made that they are filled from, and those
// above it when the sweep comes there. Values of sides, and of boundary kernels, are of arrays
// only.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Whether each axis of a static is cyclic, or has sides that repeat or mirror cells.
[[nodiscard]] bool may_be_kept(const om::Static& state);

/// For a group whose rim is known.
[[nodiscard]] bool has_sources(const Group& group, int dimension);

}  // namespace paraiso::plan
