// lower_group: a group of a plan as a kernel of a device, in which a thread makes one cell after
// the other. Gives: lower_device_group. Needs: lower.
#pragma once

#include "paraiso/codegen/lower/lower.hpp"

namespace paraiso::codegen {

/// The group has one stage and no buffers (plan::device_plan). What it reduces lies in arrays.
[[nodiscard]] LoweredGroup lower_device_group(const plan::Plan& plan,
                                              const plan::KernelPlan& kernel,
                                              const plan::Group& group, const GroupNames& names);

}  // namespace paraiso::codegen
