// row_ends: which cells beyond the ends of rows need no memory: a loop that reads a row and its
// neighbours along axis 0 makes them itself, from the row, so that no pass over memory fills them.
// Gives: find_row_ends. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Sets `row_ends` of the kernel's stages and `own_row_ends`, from its loops and tiles as they are.
void find_row_ends(const om::Machine& machine, KernelPlan& plan);

}  // namespace paraiso::plan
