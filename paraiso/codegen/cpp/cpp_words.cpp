#include "paraiso/codegen/cpp/cpp_words.hpp"

#include <cctype>
#include <limits>

namespace paraiso::codegen {

using namespace om;

namespace {

template <class Float>
std::string float_literal(Float value, const char* type, const char* suffix) {
  using limits = std::numeric_limits<Float>;
  if (value != value) return fmt::format("std::numeric_limits<{}>::quiet_NaN()", type);
  if (value == limits::infinity()) return fmt::format("std::numeric_limits<{}>::infinity()", type);
  if (value == -limits::infinity())
    return fmt::format("-std::numeric_limits<{}>::infinity()", type);
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + suffix;
}

}  // namespace

const char* cpp_type(Element element) {
  switch (element) {
    case Element::boolean: return "bool";
    case Element::i32: return "std::int32_t";
    case Element::i64: return "std::int64_t";
    case Element::f32: return "float";
    case Element::f64: return "double";
  }
  return "";
}

const char* cpp_type(passes::Lane lane) {
  switch (lane) {
    case passes::Lane::boolean: return "bool";
    case passes::Lane::i8: return "std::int8_t";
    case passes::Lane::i16: return "std::int16_t";
    case passes::Lane::i32: return "std::int32_t";
    case passes::Lane::i64: return "std::int64_t";
    case passes::Lane::f32: return "float";
    case passes::Lane::f64: return "double";
  }
  return "";
}

std::string cpp_literal(Constant value) {
  switch (value.element()) {
    case Element::boolean: return value.as<bool>() ? "true" : "false";
    case Element::i32:
      if (value.as<std::int32_t>() == INT32_MIN) return "INT32_MIN";
      return fmt::format("std::int32_t({})", value.as<std::int32_t>());
    case Element::i64:
      if (value.as<std::int64_t>() == INT64_MIN) return "INT64_MIN";
      return fmt::format("std::int64_t({})", value.as<std::int64_t>());
    case Element::f32: return float_literal(value.as<float>(), "float", "f");
    case Element::f64: return float_literal(value.as<double>(), "double", "");
  }
  return {};
}

std::string functor(ReduceOp op) {
  std::string text = om::name(op);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return "support::" + text;
}

std::string side_name(const Boundary& side) {
  return std::visit(Overload{
                        [](const Cyclic&) { return "support::Side::cyclic"; },
                        [](const Outflow&) { return "support::Side::outflow"; },
                        [](const Reflect& b) {
                          return b.sign < 0 ? "support::Side::reflect_negative"
                                            : "support::Side::reflect";
                        },
                        [](const Fixed&) { return "support::Side::value"; },
                        [](const UserBoundary&) { return "support::Side::value"; },
                    },
                    side);
}

std::string side_constant(const Boundary& side, Element element) {
  const auto* fixed = std::get_if<Fixed>(&side);
  return cpp_literal(fixed ? fixed->value : Constant::from_double(element, 0));
}

std::string side_rules(const std::array<Boundary, 2>& sides, Element element) {
  const auto& [lower, upper] = sides;
  return fmt::format("{}, {}, {}, {}", side_name(lower), side_name(upper),
                     side_constant(lower, element), side_constant(upper, element));
}

std::string wrap_line(const std::string& line) {
  constexpr std::size_t kColumns = 100;
  std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  bool comment = line.compare(indent, 2, "//") == 0;
  std::string lead(indent, ' ');
  lead += !comment ? "    " : line.compare(indent, 3, "///") == 0 ? "/// " : "// ";
  // After a comma, or after a binary operator: one with a space before it.
  auto may_break = [&](const std::string& text, std::size_t i) {
    if (text[i] != ' ' || i <= lead.size()) return false;
    if (comment || text[i - 1] == ',') return true;
    bool operation = std::string_view("+-*/?:<>=&|^").find(text[i - 1]) != std::string_view::npos;
    return operation && text[i - 2] == ' ';
  };
  std::string result, rest = line;
  while (rest.size() > kColumns) {
    std::size_t cut = kColumns;
    while (cut > 0 && !may_break(rest, cut)) --cut;
    if (cut == 0) break;
    result += rest.substr(0, cut) + "\n";
    rest = lead + rest.substr(cut + 1);
  }
  return result + rest;
}

}  // namespace paraiso::codegen
