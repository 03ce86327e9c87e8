#include "paraiso/om/graph/operators.hpp"

#include <fmt/format.h>

#include "paraiso/support/arithmetic.hpp"

namespace paraiso::om {
namespace {

namespace meaning = paraiso_support;

// --- types ---

/// A set of elements and its name in error messages.
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

const Wanted& wanted(TypeRule rule) {
  switch (rule) {
    case TypeRule::any:
    case TypeRule::equality:
    case TypeRule::selection:
    case TypeRule::conversion: return kAny;
    case TypeRule::number:
    case TypeRule::power:
    case TypeRule::comparison: return kNumber;
    case TypeRule::floating: return kFloating;
    case TypeRule::logical: return kLogical;
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
      return fmt::format("`{}` needs {}, got {}", name_of_op, wanted.words, name(e));
  for (Element e : operands)
    if (e != operands.front())
      return fmt::format("`{}` needs operands of one element type, got {}", name_of_op,
                         list(operands));
  return {};
}

std::string check(const OpInfo& row, std::span<const Element> operands) {
  if (operands.size() != static_cast<std::size_t>(row.arity))
    return fmt::format("`{}` takes {}, got {}", row.name, operands_text(row.arity),
                       operands.size());
  auto alike = operands;
  if (row.rule == TypeRule::selection) {
    if (operands[0] != Element::boolean)
      return fmt::format("`{}` needs bool as its first operand, got {}", row.name,
                         name(operands[0]));
    alike = operands.subspan(1);
  }
  if (row.rule == TypeRule::power) {
    if (operands[1] != Element::i32)
      return fmt::format("`{}` needs i32 as its second operand, got {}", row.name,
                         name(operands[1]));
    alike = operands.first(1);
  }
  return check_alike(row.name, wanted(row.rule), alike);
}

Element result_element(TypeRule rule, std::span<const Element> operands, Element target) {
  switch (rule) {
    case TypeRule::any:
    case TypeRule::number:
    case TypeRule::floating:
    case TypeRule::logical:
    case TypeRule::power: return operands[0];
    case TypeRule::equality:
    case TypeRule::comparison: return Element::boolean;
    case TypeRule::selection: return operands[1];
    case TypeRule::conversion: return target;
  }
  return target;
}

// --- meanings ---

using Operands = std::span<const Constant>;
using Results = std::span<Constant>;

/// Calls `f` with `Count` operands from `First` on, as values of the C++ type of operand `First`.
/// Types that `Accept` refuses never occur here: result_types has checked.
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

Constant evaluate_cast(Operands x, Element target) {
  return with_element(target, [&](auto to) {
    return with_element(x[0].element(), [&](auto from) {
      return Constant(meaning::cast<decltype(to)>(x[0].as<decltype(from)>()));
    });
  });
}

Constant evaluate_ipow(Operands x, Element) {
  return on<Number, 1>(x, [&](auto base) { return meaning::ipow(base, x[1].as<std::int32_t>()); });
}

constexpr Meaning identity_meaning{"identity", [](Operands x, Element) { return x[0]; }};
constexpr Meaning select_meaning{"select",
                                 [](Operands x, Element) { return x[0].as<bool>() ? x[1] : x[2]; }};
constexpr Meaning ipow_meaning{"ipow", evaluate_ipow};
constexpr Meaning cast_meaning{"cast", evaluate_cast};

// --- the table ---

constexpr OpInfo row_of(Op op, const char* name, int arity, TypeRule rule, double cost, Unit unit,
                        Vectors vectors, std::array<Meaning, 2> meanings,
                        RangeRule* range = nullptr, Symbols symbols = {}) {
  return {.op = op,
          .name = name,
          .arity = arity,
          .results = meanings[1].of ? 2 : 1,
          .rule = rule,
          .cost = cost,
          .unit = unit,
          .vectors = vectors,
          .meanings = meanings,
          .range = range,
          .symbols = symbols};
}

/// A function, so that the columns' short names are visible only here.
constexpr std::array<OpInfo, kOpCount> make_table() {
  using enum TypeRule;
  using enum Unit;
  using enum Vectors;
  using namespace range_rule;
// clang-format off
#define MEANS(Accept, arity, function)                                                \
  Meaning {                                                                           \
    #function, [](Operands x, Element) {                                              \
      return on<Accept, arity>(x, [](auto... y) { return meaning::function(y...); }); \
    }                                                                                 \
  }
#define FUNCTION(arity, function)                                                     \
  Meaning {                                                                           \
    #function, MEANS(Float, arity, function).of, "libm_" #function                 \
  }
// clang-format on
#define PARAISO_OP(op, ...) row_of(Op::op, __VA_ARGS__),
  return {{
#include "paraiso/om/graph/operators.def"
  }};
#undef FUNCTION
#undef MEANS
}
constexpr std::array<OpInfo, kOpCount> kTable = make_table();

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
  const OpInfo& row = info(op);
  const Constant first = row.meanings[0].of(operands, target);
  if (row.results == 2) results[1] = row.meanings[1].of(operands, target);
  results[0] = first;
}

}  // namespace paraiso::om
