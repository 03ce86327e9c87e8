// An expression of CLARIS in C++. Gives: Surroundings, print_cpp. Needs: CLARIS, cpp_words,
// spelling.
#pragma once

#include "paraiso/codegen/claris/tree.hpp"

namespace paraiso::codegen {

/// The names that the text around an expression uses.
struct Surroundings {
  int dimension = 0;              // of the grid
  std::string grid = "grid";      // the grid
  std::vector<std::string> held;  // Global statics
};

[[nodiscard]] std::string print_cpp(const claris::ExprPtr& expr, const Surroundings& around = {});
/// Several expressions, separated by commas.
[[nodiscard]] std::string print_cpp(const std::vector<claris::ExprPtr>& exprs,
                                    const Surroundings& around);

}  // namespace paraiso::codegen
