// lower_fill: a kernel that fills the ghost cells of arrays along all axes in one launch.
// Gives: LoweredFill, Ghosts, ghosts_of, lower_fill. Needs: module.
#pragma once

#include <span>

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// The widths that some fills have, each once, and which one each fill has.
struct Ghosts {
  std::vector<plan::Extent> widths;
  std::vector<std::size_t> of;

  /// What the kernel and the class call the cells of a width.
  [[nodiscard]] static std::string name(std::size_t width);
};
[[nodiscard]] Ghosts ghosts_of(std::span<const HaloFill> fills);

struct LoweredFill {
  claris::Function function;     // of the grid, the widths that are filled, and
  std::vector<Given> arguments;  // one a further parameter: each array, then what its values read
};
/// `name` is the kernel's. Fills by the same rules of the same axes, of which the same ones have
/// the same widths, have the same function but for its name, whichever arrays and Globals they are
/// given. Of several fills each is a row of blocks.
[[nodiscard]] LoweredFill lower_fill(const Module& module, std::span<const HaloFill> fills,
                                     const std::string& name);

}  // namespace paraiso::codegen
