// make_module: from a plan to a module: names, halo fills, and the actions of each kernel in order.
// Gives: LowerGroup, make_module. Needs: module; inside scalars, lower_boundary, the cost model.
#pragma once

#include <functional>

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// How a back end lowers a group.
using LowerGroup = std::function<LoweredGroup(const plan::Plan&, const plan::KernelPlan&,
                                              const plan::Group&, const GroupNames&)>;

/// `wanted` names the class; empty: the machine's name. Functions of boundary kernels have no
/// variables of names that are `taken`, and zeros hidden `for_devices` (hidden_zero).
[[nodiscard]] Module make_module(const plan::Plan& plan, const std::string& wanted,
                                 const LowerGroup& lower, const Names& taken = {},
                                 bool for_devices = false);

}  // namespace paraiso::codegen
