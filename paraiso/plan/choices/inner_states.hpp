// inner_states: where the states between the steps of a chained kernel may lie.
// Gives: settle_inner_states, made_box. Needs: choices, step_chain, turning.
//
// Before the next step reads them, cells beyond the core are filled by the static's boundary. In an
// array of the whole grid they always can be: it is what all other classes are demoted to. In the
// memory of a thread they are filled from the tile's own cells; that serves for sides that clamp,
// reflect or have one value. Across the grid a tile can't reach: cells beyond a cyclic axis are
// computed, where that gives what filling would.
#pragma once

#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

/// Demotes the storage of inner states to what is legal, and keeps in arrays what their boundary
/// kernels read.
void settle_inner_states(const om::Machine& machine, const om::Kernel& kernel, Choices& choices);

/// Of the box on which a state is needed, what is computed: all but the cells that are filled.
[[nodiscard]] Extent made_box(const InnerState& state, Extent needed);

}  // namespace paraiso::plan
