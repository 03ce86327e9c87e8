// How C++ spells each operator: infix, prefix, the conditional, or a call of the support header.
// Gives: Spelling, spelling. Needs: om's operator table. To add an operator: a row.
#pragma once

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

}  // namespace paraiso::codegen
