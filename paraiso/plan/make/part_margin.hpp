// part_margin: the cells around the core that the arrays of a part of a divided grid have.
// Gives: part_margin, part_wants. Needs: plan, distribute.
#pragma once

#include <vector>

#include "paraiso/om/distribute.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Wide enough for the ghost cells that loops of the whole grid compute as they go, for what
/// reflections in a part thinner than its halo read, and for what boundary kernels read beside it.
[[nodiscard]] Extent part_margin(const Plan& plan);

/// What a part needs of others, and of itself around cyclic axes, before a kernel runs.
[[nodiscard]] std::vector<om::Want> part_wants(const Plan& plan, const KernelPlan& kernel);

}  // namespace paraiso::plan
