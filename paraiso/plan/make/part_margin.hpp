// part_margin: the cells around the core that the arrays of a part of a divided grid have.
// Gives: part_margin, part_wants. Needs: plan, distribute.
#pragma once

#include <vector>

#include "paraiso/om/divide/distribute.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Wide enough for the ghost cells that loops of the whole grid compute as they go, for what
/// reflections in a part thinner than its halo read, and for what boundary kernels read beside it.
[[nodiscard]] Extent part_margin(const Plan& plan);

/// What a part needs of others, and of itself around cyclic axes, before a kernel runs: exactly
/// what is read. Loops over boxes also compute from ghost cells that nobody sent, and no result
/// reads that.
[[nodiscard]] std::vector<om::Want> part_wants(const KernelPlan& kernel);

}  // namespace paraiso::plan
