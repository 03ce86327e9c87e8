// vector_text: the functions by which kernels load and store several neighbours at once. Gives:
// load_function, store_function, vector_functions. Needs: CLARIS, Dialect.
#pragma once

#include <string>

#include "paraiso/codegen/device/dialect.hpp"

namespace paraiso::codegen {

/// `load_4_f32(cells, from)`.
[[nodiscard]] std::string load_function(om::Element element, int cells);
/// `store_4_f32(to, cells, count)`.
[[nodiscard]] std::string store_function(om::Element element, int cells);

/// Those that functions call.
[[nodiscard]] std::string vector_functions(const Dialect& dialect,
                                           const std::vector<claris::Function>& functions);

}  // namespace paraiso::codegen
