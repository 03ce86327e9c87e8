// found_ghosts: ghost cells of fields that no launch fills, since whoever reads one finds the cell
// that it repeats, or the value of its side. Gives: may_be_found, find_ghosts, finds_ghosts,
// axes_beyond. Needs: plan; inside traversal.
//
//   u at (i - 1), cyclic   ->   u at (i > 0 ? i - 1 : size - 1)
//
// Nothing is written for it, so that no thread waits for another one. Values of boundary kernels
// are filled: they are made of more than one cell.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

[[nodiscard]] bool may_be_found(const om::Static& state);

/// No launch before the kernel fills what may be found.
void find_ghosts(const om::Machine& machine, KernelPlan& kernel);

/// Whether the kernel's loops find the ghost cells of a static, at its entry.
[[nodiscard]] bool finds_ghosts(const KernelPlan& kernel, om::StaticId id);

/// The axes along which a loop reads a cell beyond the grid, of its own displaced by `offset`.
[[nodiscard]] std::vector<int> axes_beyond(const Group& group, const Stage& stage,
                                           const om::Offset& offset);

}  // namespace paraiso::plan
