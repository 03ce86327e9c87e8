// overlap: which kernels can compute cells of a part of a grid while messages travel.
// Gives: first_group, why_blocking, overlap. Needs: plan.
//
//   start sending -> the group's tiles that read nothing of others -> await -> fill sides -> the
//   group's other tiles -> the kernel's other groups
#pragma once

#include <string>

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Of a kernel with loops: that which runs first.
[[nodiscard]] const Group& first_group(const KernelPlan& kernel);

/// Why the first group of a kernel can't be computed in two turns; empty if it can.
[[nodiscard]] std::string why_blocking(const om::Machine& machine, const KernelPlan& kernel);

/// Computes the first group so, if it can be.
void overlap(const om::Machine& machine, KernelPlan& kernel);

}  // namespace paraiso::plan
