// repeat_text: the text of functions that store the ghost cells that repeat a cell. Gives:
// repeat_functions. Needs: CLARIS, Dialect.
//
// That of axis x stores the cell, by the function of axis y, and calls this one again for each
// ghost cell that repeats it beyond its own axis; and so on, so that corners are stored, too.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/codegen/device/dialect.hpp"

namespace paraiso::codegen {

/// The rule of a side, as the text of kernels calls it.
[[nodiscard]] const char* rule_name(const om::Boundary& side);

/// Those that these functions call. Adds the functions of the library that they call to `used`.
[[nodiscard]] std::string repeat_functions(const Dialect& dialect,
                                           const std::vector<claris::Function>& functions,
                                           int dimension, std::set<std::string>& used);

}  // namespace paraiso::codegen
