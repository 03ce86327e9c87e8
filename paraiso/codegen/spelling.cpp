#include "paraiso/codegen/spelling.hpp"

namespace paraiso::codegen {

using om::Op;

namespace {

constexpr const char* kCall = nullptr;

// clang-format off
constexpr Spelling kTable[] = {
    {Op::identity, kCall, kCall, kCall, 7, {"identity", kCall}},
    {Op::add,      "+",   kCall, kCall, 4, {"add", kCall}},
    {Op::sub,      "-",   kCall, kCall, 4, {"sub", kCall}},
    {Op::neg,      kCall, kCall, kCall, 7, {"neg", kCall}},
    {Op::mul,      "*",   kCall, kCall, 5, {"mul", kCall}},
    {Op::div,      "/",   kCall, kCall, 5, {"div", kCall}},
    {Op::mod,      kCall, kCall, kCall, 7, {"mod", kCall}},
    {Op::divmod,   kCall, kCall, kCall, 7, {"quotient", "mod"}},
    {Op::inv,      kCall, kCall, kCall, 7, {"inv", kCall}},
    {Op::abs,      kCall, kCall, kCall, 7, {"abs", kCall}},
    {Op::signum,   kCall, kCall, kCall, 7, {"signum", kCall}},
    {Op::min,      kCall, kCall, kCall, 7, {"min", kCall}},
    {Op::max,      kCall, kCall, kCall, 7, {"max", kCall}},
    {Op::madd,     kCall, kCall, kCall, 7, {"madd", kCall}},
    {Op::msub,     kCall, kCall, kCall, 7, {"msub", kCall}},
    {Op::nmadd,    kCall, kCall, kCall, 7, {"nmadd", kCall}},
    {Op::nmsub,    kCall, kCall, kCall, 7, {"nmsub", kCall}},
    {Op::sqrt,     kCall, kCall, kCall, 7, {"sqrt", kCall}},
    {Op::cbrt,     kCall, kCall, kCall, 7, {"cbrt", kCall}},
    {Op::pow,      kCall, kCall, kCall, 7, {"pow", kCall}},
    {Op::ipow,     kCall, kCall, kCall, 7, {"ipow", kCall}},
    {Op::exp,      kCall, kCall, kCall, 7, {"exp", kCall}},
    {Op::log,      kCall, kCall, kCall, 7, {"log", kCall}},
    {Op::sin,      kCall, kCall, kCall, 7, {"sin", kCall}},
    {Op::cos,      kCall, kCall, kCall, 7, {"cos", kCall}},
    {Op::tan,      kCall, kCall, kCall, 7, {"tan", kCall}},
    {Op::asin,     kCall, kCall, kCall, 7, {"asin", kCall}},
    {Op::acos,     kCall, kCall, kCall, 7, {"acos", kCall}},
    {Op::atan,     kCall, kCall, kCall, 7, {"atan", kCall}},
    {Op::atan2,    kCall, kCall, kCall, 7, {"atan2", kCall}},
    {Op::sincos,   kCall, kCall, kCall, 7, {"sin", "cos"}},
    {Op::sinh,     kCall, kCall, kCall, 7, {"sinh", kCall}},
    {Op::cosh,     kCall, kCall, kCall, 7, {"cosh", kCall}},
    {Op::tanh,     kCall, kCall, kCall, 7, {"tanh", kCall}},
    {Op::floor,    kCall, kCall, kCall, 7, {"floor", kCall}},
    {Op::ceil,     kCall, kCall, kCall, 7, {"ceil", kCall}},
    {Op::not_,     kCall, "~",   "!",   6, {"not_", kCall}},
    {Op::and_,     kCall, "&",   kCall, 2, {"and_", kCall}},
    {Op::or_,      kCall, "|",   kCall, 2, {"or_", kCall}},
    {Op::xor_,     kCall, "^",   kCall, 2, {"xor_", kCall}},
    {Op::eq,       "==",  "==",  "==",  3, {"eq", kCall}},
    {Op::ne,       "!=",  "!=",  "!=",  3, {"ne", kCall}},
    {Op::lt,       "<",   "<",   kCall, 3, {"lt", kCall}},
    {Op::le,       "<=",  "<=",  kCall, 3, {"le", kCall}},
    {Op::gt,       ">",   ">",   kCall, 3, {"gt", kCall}},
    {Op::ge,       ">=",  ">=",  kCall, 3, {"ge", kCall}},
    {Op::select,   "?",   "?",   "?",   1, {"select", kCall}},
    {Op::cast,     kCall, kCall, kCall, 7, {"cast", kCall}},
};
// clang-format on

constexpr bool complete() {
  if (std::size(kTable) != om::kOpCount) return false;
  for (int i = 0; i < om::kOpCount; ++i)
    if (static_cast<int>(kTable[i].op) != i) return false;
  return true;
}
static_assert(complete(), "one row an operator, in the order of om::Op");

}  // namespace

const Spelling& spelling(Op op) { return kTable[static_cast<int>(op)]; }

std::vector<std::string_view> operator_functions() {
  std::vector<std::string_view> functions;
  for (const Spelling& row : kTable)
    for (const char* function : row.call)
      if (function != kCall) functions.emplace_back(function);
  return functions;
}

}  // namespace paraiso::codegen
