#include "paraiso/codegen/device/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

#include "paraiso/codegen/device/elementary_text.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

constexpr Element kElements[] = {Element::boolean, Element::i32, Element::i64, Element::f32,
                                 Element::f64};

/// What a function of paraiso/support/arithmetic.hpp gives, as an expression of its parameters x,
/// y, z. T is their type, U that without a sign, add_T the function for them, FMA that of floats.
struct Body {
  std::string_view function;
  const char *floats = nullptr, *integers = nullptr, *truths = nullptr;
};

// Divisors that trap are replaced, and not only avoided: compilers may compute both sides. NaN is
// not rounded: a library that rounds by way of an integer (PoCL 3.1's) leaves the kernel undefined
// if the compiler knows that it is one.
constexpr Body kBodies[] = {
    {"identity", "x", "x", "x"},
    {"add", "x + y", "(T)((U)x + (U)y)"},
    {"sub", "x - y", "(T)((U)x - (U)y)"},
    {"neg", "-x", "sub_T(0, x)"},
    {"mul", "x * y", "(T)((U)x * (U)y)"},
    {"div", "x / y", "y == 0 ? 0 : y == -1 ? neg_T(x) : x / (y == 0 || y == -1 ? 1 : y)"},
    {"mod", "y == 0 ? x : fmod(x, y)", "y == 0 ? x : x % (y == 0 || y == -1 ? 1 : y)"},
    {"quotient", "truncated_T(x / y)", "div_T(x, y)"},
    {"inv", "1 / x"},
    {"abs", "fabs(x)", "x < 0 ? neg_T(x) : x"},
    {"signum", "x > 0 ? 1 : x < 0 ? -1 : x", "x > 0 ? 1 : x < 0 ? -1 : x"},
    {"min", "x < y ? x : y", "x < y ? x : y"},
    {"max", "x > y ? x : y", "x > y ? x : y"},
    {"madd", "FMA(x, y, z)"},
    {"msub", "FMA(x, y, -z)"},
    {"nmadd", "FMA(-x, y, z)"},
    {"nmsub", "FMA(-x, y, -z)"},
    {"sqrt", "sqrt(x)"},
    {"floor", "x == x ? floor(x) : x"},
    {"ceil", "x == x ? ceil(x) : x"},
    {"not_", nullptr, "~x", "!x"},
    {"and_", nullptr, "x & y", "x & y"},
    {"or_", nullptr, "x | y", "x | y"},
    {"xor_", nullptr, "x ^ y", "x ^ y"},
    {"eq", "x == y", "x == y", "x == y"},
    {"ne", "x != y", "x != y", "x != y"},
    {"lt", "x < y", "x < y"},
    {"le", "x <= y", "x <= y"},
    {"gt", "x > y", "x > y"},
    {"ge", "x >= y", "x >= y"},
    {"select", "x ? y : z", "x ? y : z", "x ? y : z"},
    {"ipow", "y < 0 ? 1 / power_T(x, 0u - (unsigned int)y) : power_T(x, (unsigned int)y)",
     "y >= 0 ? power_T(x, (unsigned int)y) : x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0"},
};

/// x to the power of n by n's binary digits, from the lowest.
constexpr const char* kPower = R"(FUNCTION T power_T(T x, unsigned int n) {
  T power = n & 1u ? x : 1;
  for (n >>= 1; n != 0; n >>= 1) {
    x = mul_T(x, x);
    power = n & 1u ? mul_T(power, x) : power;
  }
  return power;
}
)";

/// What divmod rounds its quotient with.
constexpr const char* kTruncated = R"(FUNCTION T truncated_T(T x) {
  return x == x ? trunc(x) : x;
}
)";

/// A float becomes an integer by truncation and saturates, NaN giving 0.
constexpr const char* kSaturate = R"(FUNCTION {to} {name}({from} x) {{
  const bool inside = x >= {low} && x < -({low});
  return inside ? ({to})x : x >= -({low}) ? {most} : x < {low} ? {least} : 0;
}}
)";

/// Combines partial results of a reduction: NaN where one of them is.
constexpr const char* kExtreme = R"(FUNCTION T {0}_or_nan_T(T x, T y) {{
  return x == x && y == y ? {0}_T(x, y) : x + y;
}}
)";

/// Calls `use` with each name of a text, and with each character between.
template <class Use>
void each_word(std::string_view text, Use&& use) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t i = 0, end; i < text.size(); i = end) {
    for (end = i; end < text.size() && in_name(text[end]);) ++end;
    end = std::max(end, i + 1);
    use(text.substr(i, end - i));
  }
}

std::vector<Element> operands_of(Op op, Element element) {
  std::vector<Element> operands(static_cast<std::size_t>(info(op).arity), element);
  if (op == Op::select) operands[0] = Element::boolean;
  if (op == Op::ipow) operands[1] = Element::i32;
  return operands;
}

const char* body_of(std::string_view function, Element element) {
  const Body* body = std::ranges::find(kBodies, function, &Body::function);
  if (body == std::end(kBodies)) return nullptr;
  return is_float(element) ? body->floats : is_integer(element) ? body->integers : body->truths;
}

struct Definition {
  std::string name, text;
};

/// All that device code may call, each definition using only those before it.
class DeviceLibrary {
 public:
  explicit DeviceLibrary(const Dialect& dialect) : dialect_(dialect) {
    for (int op = 0; op < kOpCount; ++op)
      for (const Element element : kElements) add_operator(Op(op), element);
  }

  [[nodiscard]] const std::vector<Definition>& definitions() const { return definitions_; }

 private:
  void add(const std::string& name, std::string_view text);
  void add_operator(Op op, Element element);
  void add_result(Op op, Element element, int result);
  void add_function(Op op, Element element, int result, std::string_view body);
  void add_cast(Element from, Element to);
  void add_elementary_functions();

  [[nodiscard]] std::string of_element(std::string_view text, Element element) const;
  [[nodiscard]] std::string type(Element element) const { return device_type(dialect_, element); }

  const Dialect& dialect_;
  std::vector<Definition> definitions_;
};

void DeviceLibrary::add(const std::string& name, std::string_view text) {
  if (std::ranges::find(definitions_, name, &Definition::name) == definitions_.end())
    definitions_.push_back({name, spell(dialect_, text)});
}

std::string DeviceLibrary::of_element(std::string_view text, Element element) const {
  std::string result;
  each_word(text, [&](std::string_view word) {
    if (word == "T")
      result += type(element);
    else if (word == "U")
      result += element == Element::i64 ? dialect_.u64 : "unsigned int";
    else if (word == "FMA")
      result += element == Element::f32 ? dialect_.fma_f32 : dialect_.fma_f64;
    else if (word.ends_with("_T"))
      result += fmt::format("{}{}", word.substr(0, word.size() - 1), name(element));
    else
      result += word;
  });
  return result;
}

void DeviceLibrary::add_operator(Op op, Element element) {
  if (op == Op::cast) {
    for (const Element to : kElements) add_cast(element, to);
    return;
  }
  if (!result_types(op, operands_of(op, element), element).complaint.empty()) return;
  if (op == Op::ipow) add(fmt::format("power_{}", name(element)), of_element(kPower, element));
  if (is_float(element) && op == Op::divmod)
    add(fmt::format("truncated_{}", name(element)), of_element(kTruncated, element));
  for (int result = 0; result < info(op).results; ++result) add_result(op, element, result);
  if (is_float(element) && (op == Op::min || op == Op::max))
    add(fmt::format("{}_or_nan_{}", info(op).name, name(element)),
        of_element(fmt::format(fmt::runtime(kExtreme), info(op).name), element));
}

void DeviceLibrary::add_result(Op op, Element element, int result) {
  const std::string_view function = info(op).meanings[static_cast<std::size_t>(result)].function;
  if (info(op).unit != Unit::elementary) {
    add_function(op, element, result, body_of(function, element));
    return;
  }
  add_elementary_functions();
  if (element == Element::f32)  // computed as doubles, rounded at the end
    add_function(op, element, result,
                 fmt::format("(float){}_f64({})", function, info(op).arity == 1 ? "x" : "x, y"));
}

void DeviceLibrary::add_function(Op op, Element element, int result, std::string_view body) {
  const auto operands = operands_of(op, element);
  const auto made = result_types(op, operands, element).results[static_cast<std::size_t>(result)];
  std::string parameters;
  for (std::size_t place = 0; place < operands.size(); ++place)
    parameters += fmt::format("{}{} {}", place ? ", " : "", type(operands[place]), "xyz"[place]);
  const std::string function = device_function(op, element, element, result);
  add(function, fmt::format("FUNCTION {} {}({}) {{\n  return {};\n}}\n", type(made), function,
                            parameters, of_element(body, element)));
}

void DeviceLibrary::add_cast(Element from, Element to) {
  const std::string function = device_function(Op::cast, from, to, 0);
  if (!is_float(from) || !is_integer(to)) {
    const std::string value = to == Element::boolean ? "x != 0" : fmt::format("({})x", type(to));
    add(function, fmt::format("FUNCTION {} {}({} x) {{\n  return {};\n}}\n", type(to), function,
                              type(from), value));
    return;
  }
  // MIN is a power of two, so that it and -MIN, one above MAX, are exact in every float.
  with_element(to, [&](auto integer) {
    if constexpr (!std::is_floating_point_v<decltype(integer)>) {
      using limits = std::numeric_limits<decltype(integer)>;
      const auto low = fmt::format("{}.0{}", limits::min(), from == Element::f32 ? "f" : "");
      const auto literal = [&](Constant value) { return device_literal(dialect_, value); };
      add(function,
          fmt::format(fmt::runtime(kSaturate), fmt::arg("to", type(to)), fmt::arg("name", function),
                      fmt::arg("from", type(from)), fmt::arg("low", low),
                      fmt::arg("most", literal(Constant(limits::max()))),
                      fmt::arg("least", literal(Constant(limits::min())))));
    }
  });
}

/// What a definition of the elementary functions is called: the name before its parameters, of a
/// table that before its brackets, of a type that at its end.
std::string defined_name(std::string_view text) {
  const bool is_type = text.starts_with("typedef");
  const std::size_t end = is_type ? text.rfind(';') : text.find_first_of("([");
  const std::size_t begin = text.find_last_of(" *", end - 1) + 1;
  return std::string(text.substr(begin, end - begin));
}

void DeviceLibrary::add_elementary_functions() {
  add_result(Op::floor, Element::f64, 0);  // which they call
  std::string_view text = elementary_text();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size() - 1) + 1;
    const std::string_view definition = text.substr(0, end);
    add(defined_name(definition), definition);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string device_function(Op op, Element element, Element target, int result) {
  if (op == Op::cast) return fmt::format("cast_{}_{}", name(element), name(target));
  std::string_view function = info(op).meanings[static_cast<std::size_t>(result)].function;
  if (function.ends_with('_')) function.remove_suffix(1);  // not_, which C++ reserves without
  return fmt::format("{}_{}", function, name(element));
}

std::string device_functions(const Dialect& dialect, const std::set<std::string>& used) {
  const DeviceLibrary library(dialect);
  std::set<std::string, std::less<>> needed(used.begin(), used.end());
  std::vector<std::string_view> texts;
  for (auto it = library.definitions().rbegin(); it != library.definitions().rend(); ++it) {
    if (!needed.contains(it->name)) continue;
    each_word(it->text, [&](std::string_view word) { needed.emplace(word); });
    texts.push_back(it->text);
  }
  std::string result;
  for (auto it = texts.rbegin(); it != texts.rend(); ++it) result += fmt::format("{}\n", *it);
  return result;
}

std::set<std::string> device_names() {
  const DeviceLibrary library(dialects()[0]);
  std::set<std::string> names;
  for (const Definition& definition : library.definitions()) names.insert(definition.name);
  return names;
}

}  // namespace paraiso::codegen
