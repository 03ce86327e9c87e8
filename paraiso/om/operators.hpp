// The operator table of Arith: name, arity, type rule and cost, and what each operator means.
// Gives: Op, OpInfo, info, result_types, evaluate. Needs: Type, Constant.
//
// Every operator is total: integers wrap, x/0 = 0 and x mod 0 = x, MIN/-1 = MIN, division truncates and
// mod takes the dividend's sign, a float becomes an integer by saturation (NaN gives 0), and a bool is
// `!= 0`. So computing one speculatively is always safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/om/type.hpp"

namespace paraiso::om {

// clang-format off
enum class Op : std::uint8_t {
  identity, add, sub, neg, mul, div, mod, divmod, inv, abs, signum, min, max,
  madd, msub, nmadd, nmsub,
  sqrt, cbrt, pow, ipow, exp, log, sin, cos, tan, asin, acos, atan, atan2, sincos, sinh, cosh, tanh,
  floor, ceil,
  not_, and_, or_, xor_,
  eq, ne, lt, le, gt, ge,
  select, cast,
};
// clang-format on
inline constexpr int kOpCount = static_cast<int>(Op::cast) + 1;

/// How operand elements must agree and what the results are. `T` is one element type throughout.
enum class Rule : std::uint8_t {
  any,          // (T...) -> T           T any
  number,       // (T...) -> T           T i32, i64, f32, f64
  floating,     // (T...) -> T           T f32, f64
  logical,      // (T...) -> T           T bool, i32, i64 (bitwise)
  power,        // (T, i32) -> T         T number; ipow
  equality,     // (T, T) -> bool        T any
  comparison,   // (T, T) -> bool        T number
  selection,    // (bool, T, T) -> T     T any
  conversion,   // (T) -> the cast's target
};

struct OpInfo {
  Op op;
  const char* name;  // in `.om` text: "add", "not", "select", ...
  int arity;
  int results;       // 2 for divmod (quotient, remainder) and sincos (sine, cosine)
  Rule rule;
  double cost;       // in additions of f64 at full throughput; divide 8, square root 12, ...
  bool transcendental;  // exact only on one host's libm
};

[[nodiscard]] const OpInfo& info(Op op);
[[nodiscard]] std::optional<Op> parse_op(std::string_view name);
[[nodiscard]] std::vector<std::string> op_names();

/// The element types of `op`'s results, or the complaint: "`sqrt` wants f32 or f64, got i32".
/// `target` is read by cast only.
struct TypeResult {
  std::vector<Element> results;
  std::string complaint;  // empty if well typed
};
[[nodiscard]] TypeResult result_types(Op op, std::span<const Element> operands, Element target);

/// Computes `op` on constants that passed result_types; writes info(op).results results.
void evaluate(Op op, std::span<const Constant> operands, Element target, std::span<Constant> results);

}  // namespace paraiso::om
