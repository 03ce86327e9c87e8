// stored_ghosts: ghost cells that no launch fills, since who stores a cell stores those that repeat
// it. Gives: store_ghosts, ghosts_with, fills_again. Needs: plan; inside found_ghosts.
//
//   u at i, cyclic, a ghost cell on each side:   u at 0 also at size,   u at size - 1 also at -1
//
// A launch fills them all the same before a kernel that finds a field otherwise: at the beginning,
// after the host has written, and in a grid with fewer cells than ghost cells along some axis.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The kernel's loops store the ghost cells of what they store, of each static as many as `widths`
/// says, but none that boundary kernels make. Those of statics that it does not store stay.
void store_ghosts(const om::Machine& machine, KernelPlan& kernel,
                  const std::vector<Extent>& widths);

/// Those that are stored with an output of a group; nullptr: none.
[[nodiscard]] const Extent* ghosts_with(const KernelPlan& kernel, const Output& output);

/// Whether a launch fills ghost cells of a static each time that the kernel runs.
[[nodiscard]] bool fills_again(const KernelPlan& kernel, std::size_t id);

}  // namespace paraiso::plan
