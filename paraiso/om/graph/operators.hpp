// The operators of Arith, and all that is known of each. To add one: a row of operators.def, its
// meaning in paraiso/support/arithmetic.hpp, a function in paraiso/frontend/functions.hpp.
// Gives: Op, OpInfo, info, result_types, evaluate, parse_op, op_names, in_libm. Needs: Type,
// Constant, Range.
//
// Every operator is total: integers wrap, x/0 = 0 and x mod 0 = x, MIN/-1 = MIN, division truncates
// and mod takes the dividend's sign, a float becomes an integer by saturation (NaN gives 0), and a
// bool is `!= 0`. So computing one speculatively is always safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/om/graph/range.hpp"
#include "paraiso/om/graph/type.hpp"

namespace paraiso::om {

enum class Op : std::uint8_t {
#define PARAISO_OP(op, ...) op,
#include "paraiso/om/graph/operators.def"
};
inline constexpr int kOpCount = 0
#define PARAISO_OP(...) +1
#include "paraiso/om/graph/operators.def"
    ;

/// How operand elements must agree and what the results are. `T` is one element type throughout.
enum class TypeRule : std::uint8_t {
  any,         // (T...) -> T           T any
  number,      // (T...) -> T           T i32, i64, f32, f64
  floating,    // (T...) -> T           T f32, f64
  logical,     // (T...) -> T           T bool, i32, i64 (bitwise)
  power,       // (T, i32) -> T         T number; ipow
  equality,    // (T, T) -> bool        T any
  comparison,  // (T, T) -> bool        T number
  selection,   // (bool, T, T) -> T     T any
  conversion,  // (T) -> the cast's target
};

/// The part of a core that computes an operator.
enum class Unit : std::uint8_t {
  nothing,
  arithmetic,
  fused,       // a product and a sum at once
  divider,     // of floats; integers are divided by several instructions of arithmetic
  root,        // square roots, mostly by the divider
  elementary,  // a function of paraiso/support/elementary: many of the above
  library,     // a function of the C library that gives the same bits everywhere
};

/// For which operands an operator is computed in vectors of cells.
enum class Vectors : std::uint8_t { none, floats, all };

/// How one result is computed: the name of a function of paraiso/support, the same in every
/// language that code is generated in, its value for constants, and the function of the C library
/// that may stand for it (Arith::libm), if there is one.
struct Meaning {
  const char* function = nullptr;
  Constant (*of)(std::span<const Constant> operands, Element target) = nullptr;
  const char* libm = nullptr;
};

/// The operator of C that means the same: between or before its operands; `?` of select.
inline constexpr const char* kCall = nullptr;  // none does, call the function
struct Symbols {
  const char* floats = kCall;
  const char* integers = kCall;  // whose arithmetic wraps, in functions
  const char* truths = kCall;
};

struct OpInfo {
  Op op;
  const char* name;  // in `.om` text: "add", "not", "select", ...
  int arity;
  int results;  // 2 for divmod (quotient, remainder) and sincos (sine, cosine)
  TypeRule rule;
  double cost;  // in additions of f64 at full throughput; divide 8, square root 12, ...
  Unit unit;
  Vectors vectors;
  std::array<Meaning, 2> meanings;  // of each result
  RangeRule* range;                 // of integer results; null: any integer of the element
  Symbols symbols;
};

[[nodiscard]] const OpInfo& info(Op op);
/// Whether functions of the C library may stand for `op`.
[[nodiscard]] inline bool in_libm(Op op) { return info(op).meanings[0].libm != nullptr; }
[[nodiscard]] std::optional<Op> parse_op(std::string_view name);
[[nodiscard]] std::vector<std::string> op_names();

/// The element types of `op`'s results, or the complaint: "`sqrt` needs f32 or f64, got i32".
/// `target` is read by cast only.
struct TypeResult {
  std::vector<Element> results;
  std::string complaint;  // empty if well typed
};
[[nodiscard]] TypeResult result_types(Op op, std::span<const Element> operands, Element target);

/// Computes `op` on constants that passed result_types; writes info(op).results results.
void evaluate(Op op, std::span<const Constant> operands, Element target,
              std::span<Constant> results);

}  // namespace paraiso::om
