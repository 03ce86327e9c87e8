// How C++ spells each operator: infix, prefix, the conditional, or a call of the support header.
// Gives: Spelling, spelling, operator_functions. Needs: om's operator table. To add an operator: a
// row.
#pragma once

#include <string_view>
#include <vector>

#include "paraiso/om/operators.hpp"

namespace paraiso::codegen {

struct Spelling {
  om::Op op;
  const char* infix_float;    // between or before operands of f32, f64; nullptr: call
  const char* infix_integer;  // of i32, i64, whose arithmetic wraps in calls
  const char* infix_bool;
  int precedence;       // of the infix form; higher binds tighter, 7 is a call
  const char* call[2];  // support function of each result
};

[[nodiscard]] const Spelling& spelling(om::Op op);
/// The support functions of all operators. Bodies of vectors call them by their bare names, found
/// by the type of their operands, which nothing around such a body may hide.
[[nodiscard]] std::vector<std::string_view> operator_functions();

}  // namespace paraiso::codegen
