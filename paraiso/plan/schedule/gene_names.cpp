#include "paraiso/plan/schedule/gene_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

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

namespace {

/// Of a value that no gene is about.
std::string plain_name(const Graph& graph, ValueId value) {
  const std::string text = operand_text(graph, value);
  const auto* load = graph.producer_as<Load>(value);
  if (load && load->step > 0) return fmt::format("{} after step {}", text, load->step);
  if (const std::string& scope = graph.scope(value);
      graph.producer_as<Reduce>(value) && !scope.empty())
    return scope + '/' + text;
  return text.empty() ? fmt::format("%{}", value.index) : text;
}

/// Adds the scalars that `value` is computed from, and itself.
void add_sources(const Graph& graph, ValueId value, std::set<ValueId>& seen) {
  if (!seen.insert(value).second || graph.type(value).is_local()) return;
  for (const ValueId operand : graph.producer(value).operands) add_sources(graph, operand, seen);
}

/// The one scalar that a reduction is stored to, or computed into: its name, else nothing.
std::map<ValueId, std::string> purposes_of_reductions(const Graph& graph) {
  std::map<ValueId, std::string> purposes;
  for (const NodeId id : graph.stores()) {
    const Node& node = graph.node(id);
    std::set<ValueId> seen;
    add_sources(graph, node.operands[0], seen);
    const auto target = std::get<Store>(node.instruction).target;
    for (const ValueId value : seen)
      if (graph.producer_as<Reduce>(value)) {
        const auto& name = graph.signature().statics[target.index].name;
        const auto [entry, added] = purposes.try_emplace(value, name);
        if (!added && entry->second != name) entry->second.clear();
      }
  }
  return purposes;
}

/// Whether values of this name are the same: constants and what lies in memory at the start, and
/// scalars made Local.
bool is_told_by_name(const Graph& graph, ValueId value) {
  if (!graph.name(value).empty()) return false;
  const auto* load = graph.producer_as<Load>(value);
  return graph.producer_as<Imm>(value) || graph.producer_as<Broadcast>(value) ||
         (load && load->step == 0);
}

using AlikeValues = std::map<std::string, std::vector<ValueId>>;

/// Reductions by what they are for, anything else by its number, but for the one value of cells
/// among scalars.
void distinguish(const Graph& graph, const AlikeValues& alike, std::vector<std::string>& texts) {
  const auto purposes = purposes_of_reductions(graph);
  const auto purpose = [&](ValueId value) {
    const auto found = purposes.find(value);
    return found == purposes.end() ? std::string() : found->second;
  };
  const auto is_of_cells = [&](ValueId value) { return graph.type(value).is_local(); };
  for (const auto& [text, values] : alike) {
    if (values.size() == 1) continue;
    std::set<std::string> known;
    for (const ValueId value : values) known.insert(purpose(value));
    const bool told = known.size() == values.size() && !known.contains("");
    const bool one_of_cells = std::ranges::count_if(values, is_of_cells) == 1;
    for (const ValueId value : values)
      if (told)
        texts[value.index] = fmt::format("{} for {}", text, purpose(value));
      else if (!one_of_cells || !is_of_cells(value))
        texts[value.index] = fmt::format("{} (%{})", text, value.index);
  }
}

}  // namespace

std::vector<std::string> value_names(const Graph& graph) {
  GeneNames of_cells(graph), of_scalars(graph);  // genes count the former alone
  std::vector<std::string> texts(graph.value_count());
  AlikeValues alike;
  const auto order = canonical_order(graph);
  for (NodeId id : order) {
    const Node& node = graph.node(id);
    for (int r = 0; r < node.result_count; ++r) {
      const ValueId value(node.first_result.index + r);
      std::string& text = texts[value.index];
      text = graph.name(value);
      if (text.empty() && graph.producer_as<Arith>(value))
        text = (graph.type(value).is_local() ? of_cells : of_scalars).next(value);
      if (text.empty()) text = plain_name(graph, value);
      if (is_told_by_name(graph, value)) continue;
      alike[text].push_back(value);
    }
  }
  distinguish(graph, alike, texts);
  for (NodeId id : order) {
    const Node& node = graph.node(id);
    if (std::holds_alternative<Broadcast>(node.instruction) &&
        graph.name(node.first_result).empty())
      texts[node.first_result.index] = texts[node.operands[0].index];
  }
  for (std::size_t v = 0; v < texts.size(); ++v)
    if (texts[v].empty()) texts[v] = fmt::format("%{}", v);
  return texts;
}

}  // namespace paraiso::plan
