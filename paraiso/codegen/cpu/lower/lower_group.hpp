// lower_group: a group as two functions for a processor with threads: one computes a tile, one
// shares the tiles between threads.
// Gives: lower_group. Needs: lower.
#pragma once

#include "paraiso/codegen/lower/lower.hpp"

namespace paraiso::codegen {

[[nodiscard]] LoweredGroup lower_group(const plan::Plan& plan, const plan::KernelPlan& kernel,
                                       const plan::Group& group, const GroupNames& names);

}  // namespace paraiso::codegen
