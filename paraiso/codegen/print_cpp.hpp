// The C++/OpenMP printer: CLARIS in, text out. Chooses spelling, never strategy.
// Gives: cpp_type, cpp_literal, print_cpp, wrap_line. Needs: CLARIS, spelling.
#pragma once

#include "paraiso/codegen/claris.hpp"

namespace paraiso::codegen {

[[nodiscard]] const char* cpp_type(om::Element element);  // "bool", "std::int32_t", "double", ...
[[nodiscard]] const char* cpp_type(passes::Lane lane);
[[nodiscard]] std::string cpp_literal(om::Constant value);
[[nodiscard]] std::string print_cpp(const claris::ExprPtr& expr);
/// A whole function, `dimension` being that of its Grid parameter.
[[nodiscard]] std::string print_cpp(const claris::Function& function, int dimension);
[[nodiscard]] std::string print_cpp(const claris::Block& block, int indent);

/// Breaks a line that is too long at its last comma or operator before column 100.
[[nodiscard]] std::string wrap_line(const std::string& line);

}  // namespace paraiso::codegen
