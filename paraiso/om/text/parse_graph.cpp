#include "paraiso/om/text/parse_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/text.hpp"
#include "paraiso/om/graph/print_instruction.hpp"
#include "paraiso/om/text/parse_type.hpp"
#include "paraiso/om/verify/verify.hpp"

namespace paraiso::om {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 9 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Takes `%label` and returns `label`.
std::string_view label_word(LineCursor& line) {
  if (!line.peek().starts_with('%')) line.fail_expected("a value like `%3`");
  auto label = line.word("a value").substr(1);
  if (!is_number(label) && !is_identifier(label))
    line.fail(fmt::format("expected a value like `%3` or `%flux`, got {}",
                          shown("%" + std::string(label))));
  return label;
}

Constant immediate(LineCursor& line) {
  Element element = parse_element_word(line);
  return parse_constant(line, element);
}

ReduceOp reduction(LineCursor& line) {
  auto word = line.word("a reduction");
  if (auto op = parse_reduce_op(word)) return *op;
  line.fail_near(
      fmt::format("unknown reduction {}: expected sum, product, min, max, any or all", shown(word)),
      word, {"sum", "product", "min", "max", "any", "all"});
}

int step(LineCursor& line) {
  if (!line.peek().starts_with('@')) return 0;
  auto text = line.word("a step").substr(1);
  LineCursor number(text, line.location());
  int value = number.integer("a step", 0, kLargestStep);
  number.expect_end();
  return value;
}

int axis(LineCursor& line) { return line.integer("an axis", 0, kLargestDimension - 1); }

Op arith(const LineCursor& line, std::string_view word) {
  if (auto op = parse_op(word)) return *op;
  std::vector<std::string> known = {"end",    "imm",   "load",      "store",      "reduce",
                                    "result", "shift", "broadcast", "load_index", "load_size"};
  for (auto& name : op_names()) known.push_back(name);
  line.fail_near(fmt::format("unknown instruction or operator {}", shown(word)), word, known);
}

Offset offset(LineCursor& line) {
  Offset components;
  line.expect('(');
  do components.push_back(line.integer("a shift", -kLargestShift, kLargestShift));
  while (line.accept(','));
  line.expect(')');
  return components;
}

/// Reads what stands after the operands: the components of shift, the target of cast, `libm`.
void tail(LineCursor& line, Instruction& instruction) {
  if (auto* shift = std::get_if<Shift>(&instruction)) shift->offset = offset(line);
  auto* arith = std::get_if<Arith>(&instruction);
  if (!arith) return;
  if (arith->op == Op::cast) arith->target = parse_element_word(line);
  arith->libm = line.accept("libm");
}

int result_count(const Instruction& instruction) {
  if (const auto* arith = std::get_if<Arith>(&instruction)) return info(arith->op).results;
  return std::holds_alternative<Store>(instruction) ? 0 : 1;
}

void expect_results(const LineCursor& line, const Instruction& instruction, std::size_t seen) {
  static constexpr const char* kExpected[] = {
      "no value: expected nothing", "1 value: expected `%a =`", "2 values: expected `%a, %b =`"};
  int count = result_count(instruction);
  if (static_cast<int>(seen) != count)
    line.fail(fmt::format("`{}` gives {} before it", word(instruction), kExpected[count]));
}

/// The line of `text`, counted from 1, that defines `label` before the kernel's end; 0 if none
/// does.
int defining_line(std::string_view text, std::string_view label) {
  for (int number = 1; !text.empty(); ++number) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    LineCursor cursor(line, {});
    if (cursor.peek() == "end") return 0;
    while (!cursor.at_end() && !cursor.accept('=')) {
      auto word = cursor.peek();
      if (word.starts_with('%') && word.substr(1) == label) return number;
      cursor.skip_one();
    }
  }
  return 0;
}

}  // namespace

void GraphReader::read(LineCursor& line, std::string_view rest) {
  rest_ = rest;
  if (line.accept("in")) {
    scope_ = line.quoted("a scope like `\"flux/x\"`");
    return line.expect_end();
  }
  current_ = results(line);
  Instruction instruction = head(line);
  expect_results(line, instruction, current_.size());
  auto inputs = operands(line);
  tail(line, instruction);
  line.expect_end();
  const char* name = word(instruction);
  ValueId first = graph_.add(std::move(instruction), inputs, line.location(), scope_);
  for (std::size_t r = 0; r < current_.size(); ++r)
    define(line, current_[r], ValueId(first.index + r), name);
}

std::vector<GraphReader::Result> GraphReader::results(LineCursor& line) const {
  std::vector<Result> found;
  if (!line.peek().starts_with('%')) return found;
  do found.push_back(result(line));
  while (line.accept(','));
  line.expect('=');
  return found;
}

GraphReader::Result GraphReader::result(LineCursor& line) const {
  Result result;
  result.label = label_word(line);
  if (auto known = labels_.find(result.label); known != labels_.end())
    throw Error(line.location(), fmt::format("`%{}` is defined twice", result.label))
        .with_note(known->second.location, "the first definition is here");
  if (!is_number(result.label)) result.name = result.label;
  if (auto name = line.peek(); !name.empty()) {
    result.name = line.word("a name");
    if (!is_dotted_name(name))
      line.fail(fmt::format("{} is no name: expected identifiers joined by dots", shown(name)));
  }
  if (!line.accept(':')) return result;
  bool annotated_only = line.peek() == "manifest" || line.peek() == "delayed";
  if (!annotated_only) result.type = parse_type(line);
  if (line.accept("manifest"))
    result.storing = Storing::manifest;
  else if (line.accept("delayed"))
    result.storing = Storing::delayed;
  return result;
}

Instruction GraphReader::head(LineCursor& line) const {
  auto word = line.word("an instruction");
  if (word == "imm") return Imm{immediate(line)};
  if (word == "load") {
    StaticId source = static_named(line);
    return Load{source, step(line)};
  }
  if (word == "store") {
    StaticId target = static_named(line);
    return Store{target, step(line)};
  }
  if (word == "reduce") return Reduce{reduction(line)};
  if (word == "broadcast") return Broadcast{};
  if (word == "shift") return Shift{};
  if (word == "load_index") return LoadIndex{axis(line)};
  if (word == "load_size") return LoadSize{axis(line)};
  return Arith{arith(line, word)};
}

StaticId GraphReader::static_named(LineCursor& line) const {
  auto name = line.word("a static's name");
  if (auto found = statics_.find(name); found != statics_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& entry : graph_.signature().statics) known.push_back(entry.name);
  line.fail_near(fmt::format("unknown static {}", shown(name)), name, known);
}

std::vector<ValueId> GraphReader::operands(LineCursor& line) const {
  std::vector<ValueId> values;
  while (line.peek().starts_with('%')) values.push_back(operand(line));
  return values;
}

ValueId GraphReader::operand(LineCursor& line) const {
  auto label = label_word(line);
  auto found = labels_.find(label);
  if (found == labels_.end()) fail_unknown(line, label);
  return found->second.value;
}

void GraphReader::define(const LineCursor& line, const Result& result, ValueId value,
                         const char* word) {
  if (result.type && *result.type != graph_.type(value))
    line.fail(fmt::format("`%{}` is written as {}, `{}` gives {}", result.label,
                          om::name(*result.type), word, om::name(graph_.type(value))));
  if (!result.name.empty()) graph_.set_name(value, result.name);
  graph_.annotate(value, {result.storing, line.location()});
  auto [known, added] = labels_.emplace(result.label, Definition{value, line.location()});
  if (!added) line.fail(fmt::format("`%{}` is defined twice", result.label));
}

void GraphReader::fail_unknown(const LineCursor& line, std::string_view label) const {
  for (const auto& result : current_)
    if (result.label == label) line.fail(fmt::format("`%{}` is used in its own definition", label));
  if (int below = defining_line(rest_, label); below > 0)
    line.fail(
        fmt::format("`%{}` is used before its definition in line {}: a line uses values of "
                    "the lines above it, so that there is no cycle",
                    label, line.location().line + below));
  line.fail(fmt::format("unknown value `%{}`", label));
}

}  // namespace paraiso::om
