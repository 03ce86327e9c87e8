// make_module: from a plan to a module: names, what is filled when, what each kernel does in turn.
// Gives: LowerGroup, make_module. Needs: module; inside scalars, lower_boundary, the cost model.
#pragma once

#include <functional>

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// How a back end lowers a group.
using LowerGroup = std::function<LoweredGroup(const plan::Plan&, const plan::KernelPlan&,
                                              const plan::Group&, const GroupNames&)>;

/// `wanted` names the class; empty: the machine's name.
[[nodiscard]] Module make_module(const plan::Plan& plan, const std::string& wanted,
                                 const LowerGroup& lower);

}  // namespace paraiso::codegen
