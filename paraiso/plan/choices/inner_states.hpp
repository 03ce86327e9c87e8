// inner_states: where the states between the steps of a chained kernel may be stored.
// Gives: settle_inner_states, made_box. Needs: choices, step_chain, turning.
//
// Before the next step reads them, ghost cells are filled by the static's boundary. In an array of
// the whole grid this is always possible, so other storage classes are demoted to it. In a thread's
// memory they are filled from the tile's own cells, which works for outflow, reflecting and fixed
// sides. A tile can't reach across the grid: ghost cells of a cyclic axis are computed instead,
// where that gives the same values.
#pragma once

#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

/// Demotes the storage of inner states to what is legal, and stores in arrays whatever their
/// boundary kernels read.
void settle_inner_states(const om::Machine& machine, const om::Kernel& kernel,
                         KernelChoices& choices);

/// The part of `needed` that is computed: all of it except the cells that are filled.
[[nodiscard]] Extent made_box(const InnerState& state, Extent needed);

}  // namespace paraiso::plan
