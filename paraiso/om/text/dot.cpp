#include <fmt/format.h>

#include "paraiso/om/graph/print_instruction.hpp"
#include "paraiso/om/text/print.hpp"

namespace paraiso::om {
namespace {

/// The text inside a quoted Graphviz string.
std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// One cluster: instructions are boxes, values ellipses (dashed where global), as in the paper's
/// figures.
class Cluster {
 public:
  Cluster(std::string prefix, std::string title, const Graph& graph,
          std::span<const ValueId> extra = {})
      : prefix_(std::move(prefix)),
        title_(std::move(title)),
        graph_(graph),
        order_(canonical_order(graph, extra)),
        labels_(number_values(graph, order_)) {}

  [[nodiscard]] std::string text() const {
    std::string text =
        fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", prefix_, escaped(title_));
    for (std::size_t i = 0; i < order_.size(); ++i) text += node(i);
    return text + "  }\n";
  }

 private:
  [[nodiscard]] std::string value_name(ValueId v) const {
    return fmt::format("{}_v{}", prefix_, labels_[v.index]);
  }
  [[nodiscard]] std::string node(std::size_t i) const {
    const Node& node = graph_.node(order_[i]);
    std::string box = fmt::format("{}_i{}", prefix_, i);
    std::string text = fmt::format("    {} [shape=box, label=\"{}\"];\n", box,
                                   escaped(instruction_text(graph_, node, labels_)));
    for (ValueId v : node.operands) text += fmt::format("    {} -> {};\n", value_name(v), box);
    for (int r = 0; r < node.result_count; ++r) {
      ValueId v(node.first_result.index + r);
      text += value(v) + fmt::format("    {} -> {};\n", box, value_name(v));
    }
    return text;
  }
  [[nodiscard]] std::string value(ValueId v) const {
    std::string label = fmt::format("%{}", labels_[v.index]);
    if (!graph_.name(v).empty()) label += " " + graph_.name(v);
    label += "\\n" + om::name(graph_.type(v));
    bool global = graph_.type(v).realm == Realm::global;
    return fmt::format("    {} [label=\"{}\"{}];\n", value_name(v), label,
                       global ? ", style=dashed" : "");
  }

  std::string prefix_, title_;
  const Graph& graph_;
  std::vector<NodeId> order_;
  Labels labels_;
};

}  // namespace

std::string print_dot(const Machine& machine) {
  std::string text = fmt::format("digraph \"{}\" {{\n  rankdir=TB;\n", machine.name);
  for (std::size_t i = 0; i < machine.boundary_kernels.size(); ++i) {
    const auto& kernel = machine.boundary_kernels[i];
    text += Cluster(fmt::format("b{}", i), "boundary kernel " + kernel.name, kernel.graph,
                    std::span(&kernel.result, 1))
                .text();
  }
  for (std::size_t i = 0; i < machine.kernels.size(); ++i) {
    const auto& kernel = machine.kernels[i];
    text += Cluster(fmt::format("k{}", i), "kernel " + kernel.name, kernel.graph).text();
  }
  return text + "}\n";
}

}  // namespace paraiso::om
