#include "paraiso/codegen/print_cpp.hpp"

#include <fmt/format.h>

#include <limits>

#include "paraiso/codegen/spelling.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Constant;
using om::Element;
using om::Op;
using om::Overload;

namespace {

/// Text and how tightly its outermost operator binds: 7 a name or call, 6 a sign, 5 a product, ...
struct Spelt {
  std::string text;
  int precedence = 7;
};

Spelt spell(const ExprPtr& expr);

std::string parenthesised(const Spelt& operand, bool needed) {
  return needed ? "(" + operand.text + ")" : operand.text;
}

std::string joined(const std::vector<ExprPtr>& operands) {
  std::string text;
  for (const auto& operand : operands) text += (text.empty() ? "" : ", ") + spell(operand).text;
  return text;
}

Spelt spell_infix(const std::string& op, int precedence, const ExprPtr& left,
                  const ExprPtr& right) {
  Spelt l = spell(left), r = spell(right);
  // Equal precedence groups to the left; comparisons and bit operators are never chained bare.
  bool chain = precedence >= 4;
  bool left_needs = l.precedence < precedence || (!chain && l.precedence < 6);
  bool right_needs = r.precedence <= precedence || (!chain && r.precedence < 6);
  return {parenthesised(l, left_needs) + " " + op + " " + parenthesised(r, right_needs),
          precedence};
}

/// Vectors have operators of their own, found by their type; truths are combined by name.
const char* infix_of_lanes(const Spelling& row, const Operate& operate) {
  if (operate.op == Op::select) return nullptr;
  if (operate.element == Element::boolean) return row.infix_bool;
  return row.infix_float || om::is_float(operate.element) ? row.infix_float : row.infix_integer;
}

Spelt spell_lanes(const Operate& operate) {
  const Spelling& row = spelling(operate.op);
  const auto& operands = operate.operands;
  const char* infix = infix_of_lanes(row, operate);
  if (operate.op == Op::cast)
    return {fmt::format("support::cast<{}>({})", cpp_type(operate.target), joined(operands))};
  if (!infix) return {fmt::format("{}({})", row.call[operate.result], joined(operands))};
  if (operands.size() == 1) {
    Spelt operand = spell(operands[0]);
    return {infix + parenthesised(operand, operand.precedence < 7), row.precedence};
  }
  return spell_infix(infix, row.precedence, operands[0], operands[1]);
}

Spelt spell_operate(const Operate& operate) {
  if (operate.lanes) return spell_lanes(operate);
  const Spelling& row = spelling(operate.op);
  const char* infix = om::is_float(operate.element)     ? row.infix_float
                      : om::is_integer(operate.element) ? row.infix_integer
                                                        : row.infix_bool;
  const auto& operands = operate.operands;
  if (operate.op == Op::cast)
    return {fmt::format("support::cast<{}>({})", cpp_type(operate.target), joined(operands))};
  if (!infix) return {fmt::format("support::{}({})", row.call[operate.result], joined(operands))};
  if (operate.op == Op::select) {
    Spelt condition = spell(operands[0]), yes = spell(operands[1]), no = spell(operands[2]);
    return {
        fmt::format("{} ? {} : {}", parenthesised(condition, condition.precedence < 7),
                    parenthesised(yes, yes.precedence <= 1), parenthesised(no, no.precedence <= 1)),
        1};
  }
  if (operands.size() == 1) {
    Spelt operand = spell(operands[0]);
    return {infix + parenthesised(operand, operand.precedence < 7), row.precedence};
  }
  return spell_infix(infix, row.precedence, operands[0], operands[1]);
}

Spelt spell(const ExprPtr& expr) {
  return std::visit(
      Overload{
          [](const Name& e) { return Spelt{e.text}; },
          [](const Literal& e) {
            std::string text = cpp_literal(e.value);
            return Spelt{text, text[0] == '-' ? 6 : 7};
          },
          [](const IndexLiteral& e) {
            return Spelt{fmt::format("{}", e.value), e.value < 0 ? 6 : 7};
          },
          [](const IndexBinary& e) {
            return spell_infix(std::string(1, e.op), e.op == '*' ? 5 : 4, e.left, e.right);
          },
          [](const Operate& e) { return spell_operate(e); },
          [](const Subscript& e) {
            return Spelt{spell(e.array).text + "[" + spell(e.index).text + "]"};
          },
          [](const Call& e) { return Spelt{e.function + "(" + joined(e.arguments) + ")"}; },
          [](const Both& e) {
            return Spelt{spell(e.left).text + " && " + spell(e.right).text, 1};
          },
          [](const Choose& e) {
            return Spelt{
                spell(e.condition).text + " ? " + spell(e.yes).text + " : " + spell(e.no).text, 1};
          },
      },
      expr->node);
}

const char* type_text(const std::optional<Element>& element) {
  return element ? cpp_type(*element) : "std::int64_t";
}

class BlockPrinter {
 public:
  explicit BlockPrinter(int indent) : indent_(indent) {}

  std::string run(const Block& block) {
    for (const auto& statement : block) print(statement);
    return std::move(text_);
  }

 private:
  void line(const std::string& content) {
    text_ += wrap_line(std::string(indent_, ' ') + content) + "\n";
  }

  void print(const Statement& statement) {
    std::visit(Overload{
                   [&](const Declare& s) {
                     line(fmt::format("const {} {} = {};", s.lanes ? "auto" : type_text(s.element),
                                      s.name, spell(s.value).text));
                   },
                   [&](const DeclarePointer& s) {
                     line(fmt::format("{}{}* const {} = {};", s.read_only ? "const " : "",
                                      cpp_type(s.element), s.name, spell(s.value).text));
                   },
                   [&](const DeclareObject& s) {
                     line(fmt::format("{} {}({});", s.type, s.name, joined(s.arguments)));
                   },
                   [&](const Assign& s) {
                     line(fmt::format("{} = {};", spell(s.target).text, spell(s.value).text));
                   },
                   [&](const For& s) { print(s); },
                   [&](const If& s) { print(s); },
                   [&](const Evaluate& s) { line(spell(s.value).text + ";"); },
                   [&](const Return& s) { line(fmt::format("return {};", spell(s.value).text)); },
                   [&](const claris::Comment& s) { line("// " + s.text); },
               },
               statement.node);
  }

  void print(const For& loop) {
    if (loop.kind == For::Kind::parallel)
      text_ += "#pragma omp parallel for num_threads(threads) schedule(static)\n";
    if (loop.lanes) return print_vectors(loop);
    if (loop.kind == For::Kind::vector) text_ += "#pragma omp simd\n";
    const std::string next =
        loop.step == 1 ? "++" + loop.variable : fmt::format("{} += {}", loop.variable, loop.step);
    line(fmt::format("for (std::int64_t {0} = {1}; {0} < {2}; {3}) {{", loop.variable,
                     spell(loop.begin).text, spell(loop.end).text, next));
    print_body(loop.body);
  }

  void print_vectors(const For& loop) {
    std::string function = "each_vector", range, parameters, arguments;
    if (loop.rows.empty())
      range = fmt::format("{}, {}, ", spell(loop.begin).text, spell(loop.end).text);
    else
      function = "each_vector_of_rows";
    for (const RowArgument& row : loop.rows) {
      parameters += fmt::format(", const {}* {}", cpp_type(row.element), row.cells);
      arguments += fmt::format(", {}.of({})", row.ends, row.row);
    }
    line(fmt::format(
        "support::{}<{}, {}>({}[&]([[maybe_unused]] auto lanes, "
        "std::int64_t {}{}) PARAISO_CELLS {{",
        function, cpp_type(*loop.lanes), loop.vectors, range, loop.variable, parameters));
    const std::size_t body = text_.size();
    indent_ += 2;
    for (const auto& statement : loop.body) print(statement);
    if (text_.find("Lanes::", body) != std::string::npos)
      text_.insert(body, std::string(indent_, ' ') + "using Lanes = decltype(lanes);\n");
    indent_ -= 2;
    line(fmt::format("}}{});", arguments));
  }

  void print(const If& choice) {
    line(fmt::format("if ({}) {{", spell(choice.condition).text));
    print_body(choice.body);
  }

  void print_body(const Block& body) {
    indent_ += 2;
    for (const auto& statement : body) print(statement);
    indent_ -= 2;
    line("}");
  }

  int indent_;
  std::string text_;
};

std::string print_parameter(const Parameter& parameter, int dimension) {
  const char* type = cpp_type(parameter.element);
  switch (parameter.kind) {
    case Parameter::Kind::input_array: return fmt::format("const {}* {}", type, parameter.name);
    case Parameter::Kind::output_array:
      return fmt::format("{}* __restrict {}", type, parameter.name);
    case Parameter::Kind::scalar: return fmt::format("{} {}", type, parameter.name);
    case Parameter::Kind::result: return fmt::format("{}& {}", type, parameter.name);
    case Parameter::Kind::partials: return fmt::format("{}* {}", type, parameter.name);
    case Parameter::Kind::tile:
      return fmt::format("const support::Tile<{}>& {}", dimension, parameter.name);
    case Parameter::Kind::scratch: return fmt::format("support::ScratchMemory& {}", parameter.name);
    case Parameter::Kind::grid:
      return fmt::format("const support::Grid<{}>& {}", dimension, parameter.name);
    case Parameter::Kind::threads: return fmt::format("int {}", parameter.name);
    case Parameter::Kind::cell: return fmt::format("const std::int64_t* {}", parameter.name);
  }
  return {};
}

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

std::string print_cpp(const ExprPtr& expr) { return spell(expr).text; }

std::string print_cpp(const Block& block, int indent) { return BlockPrinter(indent).run(block); }

std::string print_cpp(const Function& function, int dimension) {
  std::string text;
  for (const auto& comment : function.comment) text += wrap_line("/// " + comment) + "\n";
  std::string head =
      fmt::format("{} {}(", function.returns ? cpp_type(*function.returns) : "void", function.name);
  for (std::size_t p = 0; p < function.parameters.size(); ++p)
    head += (p ? ", " : "") + print_parameter(function.parameters[p], dimension);
  return text + wrap_line(head + ") {") + "\n" + print_cpp(function.body, 2) + "}\n";
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
