// row_ends: x ghost cells that need no memory: a loop that reads a row and its x neighbours
// computes them itself from the row, so that they are not filled in a pass over memory. Gives:
// find_x_ghosts. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Sets `row_ends` of the kernel's stages and what is `filled`, from its loops and tiles as they
/// are.
void find_x_ghosts(const om::Machine& machine, KernelPlan& plan);

}  // namespace paraiso::plan
