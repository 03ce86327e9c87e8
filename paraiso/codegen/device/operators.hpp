// The operators of Arith as functions of device code, with the bits of om::evaluate: total for all
// operands, made of what C99 and all dialects have. Gives: device_function, device_functions,
// device_names. Needs: Dialect, om's operators, elementary_text.
//
// Every operator has a function; where C has an operator of the same meaning (Spelling), a printer
// may write that in its place, but never for integers whose arithmetic wraps. Compilers of devices
// know rules for min and max of a literal zero that lose the zero's sign: such a zero has to come
// from memory (claris::Opaque).
#pragma once

#include <set>
#include <string>

#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/om/graph/operators.hpp"

namespace paraiso::codegen {

/// The function that computes a result of `op` on operands of `element` (of select and ipow: of
/// those that are neither the condition nor the exponent): "add_f64", "mod_i32" (of divmod's second
/// result too), "cast_f64_i32". `target` is read by cast only.
[[nodiscard]] std::string device_function(om::Op op, om::Element element, om::Element target,
                                          int result);

/// The definitions of `used` and of what they call, each once, in an order that C accepts. Names
/// that are not of the library are passed over.
[[nodiscard]] std::string device_functions(const Dialect& dialect,
                                           const std::set<std::string>& used);

/// All names that such definitions may have, types and tables included: nothing else may be called
/// so.
[[nodiscard]] std::set<std::string> device_names();

}  // namespace paraiso::codegen
