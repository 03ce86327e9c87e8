// fusion_depth: the number of steps to fuse into one kernel. Gives: KernelTime, fusion_depth.
// Needs: passes.
#pragma once

#include <functional>
#include <string>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::plan {

/// How long a call of a program's kernel, by its name, takes under the default schedule.
using KernelTime = std::function<double(const om::Machine& program, const std::string& kernel)>;

/// The number of steps in one kernel that takes the least time per step. 1 where fusing gains
/// nothing or is impossible. The program must have been through `passes::prepare`.
[[nodiscard]] int fusion_depth(const om::Machine& program, const KernelTime& time_of);

}  // namespace paraiso::plan
