#include "paraiso/om/operators.hpp"

#include <fmt/format.h>

#include <array>

#include "paraiso/support/arithmetic.hpp"

namespace paraiso::om {
namespace {

namespace meaning = paraiso_support;

// Costs are those of f64 in vector loops, and for the transcendental functions of scalar calls,
// rough: counted or taken from instruction tables of x86, calls of the C library estimated.
constexpr std::array<OpInfo, kOpCount> kTable = {{
    {Op::identity, "identity", 1, 1, Rule::any, 0, false},
    {Op::add, "add", 2, 1, Rule::number, 1, false},
    {Op::sub, "sub", 2, 1, Rule::number, 1, false},
    {Op::neg, "neg", 1, 1, Rule::number, 1, false},
    {Op::mul, "mul", 2, 1, Rule::number, 1, false},
    {Op::div, "div", 2, 1, Rule::number, 8, false},
    {Op::mod, "mod", 2, 1, Rule::number, 100, false},
    {Op::divmod, "divmod", 2, 2, Rule::number, 110, false},
    {Op::inv, "inv", 1, 1, Rule::floating, 8, false},
    {Op::abs, "abs", 1, 1, Rule::number, 1, false},
    {Op::signum, "signum", 1, 1, Rule::number, 4, false},
    {Op::min, "min", 2, 1, Rule::number, 1, false},
    {Op::max, "max", 2, 1, Rule::number, 1, false},
    {Op::madd, "madd", 3, 1, Rule::floating, 1, false},
    {Op::msub, "msub", 3, 1, Rule::floating, 1, false},
    {Op::nmadd, "nmadd", 3, 1, Rule::floating, 1, false},
    {Op::nmsub, "nmsub", 3, 1, Rule::floating, 1, false},
    {Op::sqrt, "sqrt", 1, 1, Rule::floating, 12, false},
    {Op::cbrt, "cbrt", 1, 1, Rule::floating, 200, true},
    {Op::pow, "pow", 2, 1, Rule::floating, 300, true},
    {Op::ipow, "ipow", 2, 1, Rule::power, 10, false},
    {Op::exp, "exp", 1, 1, Rule::floating, 120, true},
    {Op::log, "log", 1, 1, Rule::floating, 120, true},
    {Op::sin, "sin", 1, 1, Rule::floating, 200, true},
    {Op::cos, "cos", 1, 1, Rule::floating, 200, true},
    {Op::tan, "tan", 1, 1, Rule::floating, 300, true},
    {Op::asin, "asin", 1, 1, Rule::floating, 250, true},
    {Op::acos, "acos", 1, 1, Rule::floating, 250, true},
    {Op::atan, "atan", 1, 1, Rule::floating, 300, true},
    {Op::atan2, "atan2", 2, 1, Rule::floating, 500, true},
    {Op::sincos, "sincos", 1, 2, Rule::floating, 400, true},
    {Op::sinh, "sinh", 1, 1, Rule::floating, 300, true},
    {Op::cosh, "cosh", 1, 1, Rule::floating, 250, true},
    {Op::tanh, "tanh", 1, 1, Rule::floating, 300, true},
    {Op::floor, "floor", 1, 1, Rule::floating, 1, false},
    {Op::ceil, "ceil", 1, 1, Rule::floating, 1, false},
    {Op::not_, "not", 1, 1, Rule::logical, 1, false},
    {Op::and_, "and", 2, 1, Rule::logical, 1, false},
    {Op::or_, "or", 2, 1, Rule::logical, 1, false},
    {Op::xor_, "xor", 2, 1, Rule::logical, 1, false},
    {Op::eq, "eq", 2, 1, Rule::equality, 1, false},
    {Op::ne, "ne", 2, 1, Rule::equality, 1, false},
    {Op::lt, "lt", 2, 1, Rule::comparison, 1, false},
    {Op::le, "le", 2, 1, Rule::comparison, 1, false},
    {Op::gt, "gt", 2, 1, Rule::comparison, 1, false},
    {Op::ge, "ge", 2, 1, Rule::comparison, 1, false},
    {Op::select, "select", 3, 1, Rule::selection, 1, false},
    {Op::cast, "cast", 1, 1, Rule::conversion, 1, false},
}};

constexpr bool in_order() {
  for (int i = 0; i < kOpCount; ++i)
    if (static_cast<int>(kTable[i].op) != i) return false;
  return true;
}
static_assert(in_order(), "the table has a row for each Op, in the order of the enumeration");

// --- types ---

/// A set of elements and how a complaint calls it.
struct Wanted {
  const char* words;
  std::initializer_list<Element> elements;
};

const Wanted kAny = {"",
                     {Element::boolean, Element::i32, Element::i64, Element::f32, Element::f64}};
const Wanted kNumber = {"i32, i64, f32 or f64",
                        {Element::i32, Element::i64, Element::f32, Element::f64}};
const Wanted kFloating = {"f32 or f64", {Element::f32, Element::f64}};
const Wanted kLogical = {"bool, i32 or i64", {Element::boolean, Element::i32, Element::i64}};

const Wanted& wanted(Rule rule) {
  switch (rule) {
    case Rule::any:
    case Rule::equality:
    case Rule::selection:
    case Rule::conversion: return kAny;
    case Rule::number:
    case Rule::power:
    case Rule::comparison: return kNumber;
    case Rule::floating: return kFloating;
    case Rule::logical: return kLogical;
  }
  return kAny;
}

bool contains(const Wanted& wanted, Element element) {
  for (Element e : wanted.elements)
    if (e == element) return true;
  return false;
}

/// "f32", "f32 and f64", "f32, f64 and i32".
std::string list(std::span<const Element> elements) {
  std::string text = name(elements.front());
  for (std::size_t i = 1; i < elements.size(); ++i)
    text += (i + 1 == elements.size() ? " and " : ", ") + std::string(name(elements[i]));
  return text;
}

std::string operands_text(std::size_t count) {
  return count == 1 ? "1 operand" : fmt::format("{} operands", count);
}

/// The complaint about operands that must have one element type among `wanted`; empty if they do.
std::string check_alike(const char* name_of_op, const Wanted& wanted,
                        std::span<const Element> operands) {
  for (Element e : operands)
    if (!contains(wanted, e))
      return fmt::format("`{}` wants {}, got {}", name_of_op, wanted.words, name(e));
  for (Element e : operands)
    if (e != operands.front())
      return fmt::format("`{}` wants operands of one element type, got {}", name_of_op,
                         list(operands));
  return {};
}

std::string check(const OpInfo& row, std::span<const Element> operands) {
  if (operands.size() != static_cast<std::size_t>(row.arity))
    return fmt::format("`{}` takes {}, got {}", row.name, operands_text(row.arity),
                       operands.size());
  auto alike = operands;
  if (row.rule == Rule::selection) {
    if (operands[0] != Element::boolean)
      return fmt::format("`{}` wants bool as its first operand, got {}", row.name,
                         name(operands[0]));
    alike = operands.subspan(1);
  }
  if (row.rule == Rule::power) {
    if (operands[1] != Element::i32)
      return fmt::format("`{}` wants i32 as its second operand, got {}", row.name,
                         name(operands[1]));
    alike = operands.first(1);
  }
  return check_alike(row.name, wanted(row.rule), alike);
}

Element result_element(Rule rule, std::span<const Element> operands, Element target) {
  switch (rule) {
    case Rule::any:
    case Rule::number:
    case Rule::floating:
    case Rule::logical:
    case Rule::power: return operands[0];
    case Rule::equality:
    case Rule::comparison: return Element::boolean;
    case Rule::selection: return operands[1];
    case Rule::conversion: return target;
  }
  return target;
}

// --- meanings ---

using Operands = std::span<const Constant>;
using Results = std::span<Constant>;

/// Calls `f` with the operands from `first` on, all of the C++ type of the one at `first`, if that
/// type is one that `Accept` accepts (which result_types made sure of); returns what it returns.
template <template <class> class Accept, int Count, int First = 0, class F>
Constant on(Operands x, F&& f) {
  return with_element(x[First].element(), [&](auto t) {
    using T = decltype(t);
    if constexpr (Accept<T>::value) {
      if constexpr (Count == 1)
        return Constant(f(x[First].as<T>()));
      else if constexpr (Count == 2)
        return Constant(f(x[First].as<T>(), x[First + 1].as<T>()));
      else
        return Constant(f(x[First].as<T>(), x[First + 1].as<T>(), x[First + 2].as<T>()));
    } else {
      return Constant();
    }
  });
}

template <class T>
struct Any : std::true_type {};
template <class T>
struct Number : std::bool_constant<!std::is_same_v<T, bool>> {};
template <class T>
struct Float : std::is_floating_point<T> {};
template <class T>
struct Logical : std::is_integral<T> {};

#define PARAISO_MEANING(function) [](auto... x) { return meaning::function(x...); }

Constant evaluate_cast(Constant x, Element target) {
  return with_element(target, [&](auto to) {
    return with_element(x.element(), [&](auto from) {
      return Constant(meaning::cast<decltype(to)>(x.as<decltype(from)>()));
    });
  });
}

/// The first result, or the only one.
Constant first_result(Op op, Operands x, Element target) {
  switch (op) {
    case Op::identity: return x[0];
    case Op::add: return on<Number, 2>(x, PARAISO_MEANING(add));
    case Op::sub: return on<Number, 2>(x, PARAISO_MEANING(sub));
    case Op::neg: return on<Number, 1>(x, PARAISO_MEANING(neg));
    case Op::mul: return on<Number, 2>(x, PARAISO_MEANING(mul));
    case Op::div: return on<Number, 2>(x, PARAISO_MEANING(div));
    case Op::mod: return on<Number, 2>(x, PARAISO_MEANING(mod));
    case Op::divmod: return on<Number, 2>(x, PARAISO_MEANING(quotient));
    case Op::inv: return on<Float, 1>(x, PARAISO_MEANING(inv));
    case Op::abs: return on<Number, 1>(x, PARAISO_MEANING(abs));
    case Op::signum: return on<Number, 1>(x, PARAISO_MEANING(signum));
    case Op::min: return on<Number, 2>(x, PARAISO_MEANING(min));
    case Op::max: return on<Number, 2>(x, PARAISO_MEANING(max));
    case Op::madd: return on<Float, 3>(x, PARAISO_MEANING(madd));
    case Op::msub: return on<Float, 3>(x, PARAISO_MEANING(msub));
    case Op::nmadd: return on<Float, 3>(x, PARAISO_MEANING(nmadd));
    case Op::nmsub: return on<Float, 3>(x, PARAISO_MEANING(nmsub));
    case Op::sqrt: return on<Float, 1>(x, PARAISO_MEANING(sqrt));
    case Op::cbrt: return on<Float, 1>(x, PARAISO_MEANING(cbrt));
    case Op::pow: return on<Float, 2>(x, PARAISO_MEANING(pow));
    case Op::ipow:
      return on<Number, 1>(x,
                           [&](auto base) { return meaning::ipow(base, x[1].as<std::int32_t>()); });
    case Op::exp: return on<Float, 1>(x, PARAISO_MEANING(exp));
    case Op::log: return on<Float, 1>(x, PARAISO_MEANING(log));
    case Op::sin: return on<Float, 1>(x, PARAISO_MEANING(sin));
    case Op::cos: return on<Float, 1>(x, PARAISO_MEANING(cos));
    case Op::tan: return on<Float, 1>(x, PARAISO_MEANING(tan));
    case Op::asin: return on<Float, 1>(x, PARAISO_MEANING(asin));
    case Op::acos: return on<Float, 1>(x, PARAISO_MEANING(acos));
    case Op::atan: return on<Float, 1>(x, PARAISO_MEANING(atan));
    case Op::atan2: return on<Float, 2>(x, PARAISO_MEANING(atan2));
    case Op::sincos: return on<Float, 1>(x, PARAISO_MEANING(sin));
    case Op::sinh: return on<Float, 1>(x, PARAISO_MEANING(sinh));
    case Op::cosh: return on<Float, 1>(x, PARAISO_MEANING(cosh));
    case Op::tanh: return on<Float, 1>(x, PARAISO_MEANING(tanh));
    case Op::floor: return on<Float, 1>(x, PARAISO_MEANING(floor));
    case Op::ceil: return on<Float, 1>(x, PARAISO_MEANING(ceil));
    case Op::not_: return on<Logical, 1>(x, PARAISO_MEANING(not_));
    case Op::and_: return on<Logical, 2>(x, PARAISO_MEANING(and_));
    case Op::or_: return on<Logical, 2>(x, PARAISO_MEANING(or_));
    case Op::xor_: return on<Logical, 2>(x, PARAISO_MEANING(xor_));
    case Op::eq: return on<Any, 2>(x, PARAISO_MEANING(eq));
    case Op::ne: return on<Any, 2>(x, PARAISO_MEANING(ne));
    case Op::lt: return on<Number, 2>(x, PARAISO_MEANING(lt));
    case Op::le: return on<Number, 2>(x, PARAISO_MEANING(le));
    case Op::gt: return on<Number, 2>(x, PARAISO_MEANING(gt));
    case Op::ge: return on<Number, 2>(x, PARAISO_MEANING(ge));
    case Op::select: return x[0].as<bool>() ? x[1] : x[2];
    case Op::cast: return evaluate_cast(x[0], target);
  }
  return {};
}

}  // namespace

const OpInfo& info(Op op) { return kTable[static_cast<std::size_t>(op)]; }

std::optional<Op> parse_op(std::string_view name) {
  for (const auto& row : kTable)
    if (name == row.name) return row.op;
  return std::nullopt;
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const auto& row : kTable) names.emplace_back(row.name);
  return names;
}

TypeResult result_types(Op op, std::span<const Element> operands, Element target) {
  const OpInfo& row = info(op);
  std::string complaint = check(row, operands);
  if (!complaint.empty()) return {{}, complaint};
  const Element result = result_element(row.rule, operands, target);
  return {std::vector<Element>(row.results, result), {}};
}

void evaluate(Op op, Operands operands, Element target, Results results) {
  // Results may lie where the operands do, so both are computed before either is written.
  const Constant first = first_result(op, operands, target);
  if (op == Op::divmod) results[1] = on<Number, 2>(operands, PARAISO_MEANING(mod));
  if (op == Op::sincos) results[1] = on<Float, 1>(operands, PARAISO_MEANING(cos));
  results[0] = first;
}

}  // namespace paraiso::om
