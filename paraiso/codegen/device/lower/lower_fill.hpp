// lower_fill: a kernel that fills the ghost cells of an array along all axes in one launch.
// Gives: LoweredFill, lower_fill. Needs: module.
#pragma once

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

struct LoweredFill {
  claris::Function function;     // of the grid, the widths that are filled, and
  std::vector<Given> arguments;  // one a further parameter: the array, then what its values read
};
/// `name` is the kernel's. Fills by the same rules of the same axes have the same function but for
/// its name, whichever arrays and Globals they are given.
[[nodiscard]] LoweredFill lower_fill(const Module& module, const HaloFill& fill,
                                     const std::string& name);

}  // namespace paraiso::codegen
