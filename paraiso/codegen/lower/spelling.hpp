// How languages of C's family spell each operator: infix, prefix, the conditional, or a call of the
// support header. Gives: Spelling, spelling, operator_functions. Needs: om's operator table, which
// has the symbols; how tightly they bind is known here.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/om/graph/operators.hpp"

namespace paraiso::codegen {

inline constexpr int kCallPrecedence = 7;

struct Spelling {
  const char* infix_float;    // between or before operands of f32, f64; nullptr: call
  const char* infix_integer;  // of i32, i64, whose arithmetic wraps in calls
  const char* infix_bool;
  int precedence;                   // of the infix form; higher binds tighter
  std::array<const char*, 2> call;  // support function of each result
  std::array<const char*, 2> libm;  // the one that calls the C library; nullptr: none does

  /// Of operands of `element`; nullptr: call.
  [[nodiscard]] const char* infix(om::Element element) const {
    return om::is_float(element)     ? infix_float
           : om::is_integer(element) ? infix_integer
                                     : infix_bool;
  }
};

[[nodiscard]] Spelling spelling(om::Op op);
/// The support functions of all operators. Bodies of vectors call them unqualified (they are found
/// by the types of their operands), so nothing around such a body may hide these names.
[[nodiscard]] std::vector<std::string_view> operator_functions();

}  // namespace paraiso::codegen
