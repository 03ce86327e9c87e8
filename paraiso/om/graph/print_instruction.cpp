#include "paraiso/om/graph/print_instruction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace paraiso::om {
namespace {

/// What an instruction carries before its operands: ` sum` of reduce, ` f @1` of load.
std::string head(const Graph& graph, const Instruction& instruction) {
  auto place = [&](StaticId id, int step) {
    std::string suffix = step == 0 ? "" : fmt::format(" @{}", step);
    return " " + graph.signature().statics[id.index].name + suffix;
  };
  return std::visit(Overload{
                        [](const Imm& i) {
                          return fmt::format(" {} {}", name(i.value.element()), i.value.text());
                        },
                        [&](const Load& i) { return place(i.source, i.step); },
                        [&](const Store& i) { return place(i.target, i.step); },
                        [](const Reduce& i) { return fmt::format(" {}", name(i.op)); },
                        [](const LoadIndex& i) { return fmt::format(" {}", i.axis); },
                        [](const LoadSize& i) { return fmt::format(" {}", i.axis); },
                        [](const Broadcast&) { return std::string(); },
                        [](const Shift&) { return std::string(); },
                        [](const Arith&) { return std::string(); },
                    },
                    instruction);
}

/// What an instruction carries after its operands: ` (-1, 0)` of shift, ` f32` of cast, ` libm`
/// of a function.
std::string tail(const Instruction& instruction) {
  if (const auto* shift = std::get_if<Shift>(&instruction))
    return fmt::format(" ({})", fmt::join(shift->offset, ", "));
  const auto* arith = std::get_if<Arith>(&instruction);
  if (arith && arith->op == Op::cast) return fmt::format(" {}", name(arith->target));
  return arith && arith->libm ? " libm" : "";
}

}  // namespace

const char* word(const Instruction& instruction) {
  return std::visit(Overload{
                        [](const Imm&) { return "imm"; },
                        [](const Load&) { return "load"; },
                        [](const Store&) { return "store"; },
                        [](const Reduce&) { return "reduce"; },
                        [](const Broadcast&) { return "broadcast"; },
                        [](const Shift&) { return "shift"; },
                        [](const LoadIndex&) { return "load_index"; },
                        [](const LoadSize&) { return "load_size"; },
                        [](const Arith& i) { return info(i.op).name; },
                    },
                    instruction);
}

Labels number_values(const Graph& graph, std::span<const NodeId> order) {
  Labels labels(graph.value_count(), UINT32_MAX);
  std::uint32_t next = 0;
  for (NodeId id : order) {
    const Node& node = graph.node(id);
    for (int r = 0; r < node.result_count; ++r) labels[node.first_result.index + r] = next++;
  }
  return labels;
}

std::string instruction_text(const Graph& graph, const Node& node, const Labels& labels) {
  std::string text = word(node.instruction) + head(graph, node.instruction);
  for (ValueId v : node.operands) text += fmt::format(" %{}", labels[v.index]);
  return text + tail(node.instruction);
}

}  // namespace paraiso::om
