// The C++/OpenMP printer: CLARIS in, text out. Chooses spelling, never strategy.
// Gives: print_cpp. Needs: print_expression.
#pragma once

#include "paraiso/codegen/cpp/print_expression.hpp"

namespace paraiso::codegen {

/// A whole function, `dimension` being that of its grid.
[[nodiscard]] std::string print_cpp(const claris::Function& function, int dimension);
[[nodiscard]] std::string print_cpp(const claris::Block& block, int indent,
                                    const Surroundings& around = {});

}  // namespace paraiso::codegen
