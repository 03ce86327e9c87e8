#include "paraiso/plan/schedule/gene_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/text.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Scopes may come from files: keeps only characters that a line of a schedule file may contain.
std::string tidy(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '/' && c != '_' && c != '.') c = '_';
  return text;
}

bool is_sum(Op op) {
  return op == Op::add || op == Op::sub || op == Op::madd || op == Op::msub || op == Op::nmadd;
}

/// The text of an operand, without shifts and broadcasts.
std::string source_text(const Graph& graph, ValueId value) {
  if (const auto& name = graph.name(value); !name.empty()) return name;
  return std::visit(
      Overload{
          [](const Imm& i) { return i.value.text(); },
          [&](const Load& i) { return graph.signature().statics[i.source.index].name; },
          [](const Reduce& i) { return std::string(name(i.op)); },
          [](const LoadIndex& i) { return std::string("index_") + axis_name(i.axis); },
          [](const LoadSize& i) { return std::string("size_") + axis_name(i.axis); },
          [](const Arith& i) { return std::string(is_sum(i.op) ? "sum" : info(i.op).name); },
          [](const auto&) { return std::string(); },
      },
      graph.producer(value).instruction);
}

/// The same with the offset at which it is read, if any.
std::string operand_text(const Graph& graph, ValueId value) {
  Offset offset(graph.dimension(), 0);
  for (; graph.name(value).empty(); value = graph.producer(value).operands[0]) {
    if (const auto* shift = graph.producer_as<Shift>(value))
      std::ranges::transform(offset, shift->offset, offset.begin(), std::minus<>());
    else if (!graph.producer_as<Broadcast>(value))
      break;
  }
  std::string text = source_text(graph, value);
  if (std::ranges::any_of(offset, [](auto cells) { return cells != 0; }))
    text += fmt::format("[{}]", fmt::join(offset, ","));
  return text;
}

std::string structural_name(const Graph& graph, ValueId value) {
  const Node& node = graph.producer(value);
  std::vector<std::string> operands;
  for (const ValueId operand : node.operands) operands.push_back(operand_text(graph, operand));
  std::string path = tidy(graph.scope(value));
  if (!path.empty()) path += '/';
  return fmt::format("{}{}({})", path, info(std::get<Arith>(node.instruction).op).name,
                     fmt::join(operands, ","));
}

}  // namespace

std::string GeneNames::next(ValueId value) {
  if (const auto& name = graph_.name(value); !name.empty()) return split(name, '.')[0];
  std::string name = structural_name(graph_, value);
  const int before = counts_[name]++;
  return before == 0 ? name : fmt::format("{}#{}", name, before);
}

}  // namespace paraiso::plan
