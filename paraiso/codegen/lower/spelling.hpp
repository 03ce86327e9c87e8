// How languages of C's family spell each operator: infix, prefix, the conditional, or a call of the
// support header. Gives: Spelling, spelling, operator_functions. Needs: om's operator table, which
// has the symbols; how tightly they bind is known here.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/om/operators.hpp"

namespace paraiso::codegen {

inline constexpr int kCallPrecedence = 7;

struct Spelling {
  const char* infix_float;    // between or before operands of f32, f64; nullptr: call
  const char* infix_integer;  // of i32, i64, whose arithmetic wraps in calls
  const char* infix_bool;
  int precedence;                   // of the infix form; higher binds tighter
  std::array<const char*, 2> call;  // support function of each result
};

[[nodiscard]] Spelling spelling(om::Op op);
/// The support functions of all operators. Bodies of vectors call them by their bare names, found
/// by the type of their operands, which nothing around such a body may hide.
[[nodiscard]] std::vector<std::string_view> operator_functions();

}  // namespace paraiso::codegen
