#include "paraiso/om/cells/reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "paraiso/base/error.hpp"

namespace paraiso::om {

namespace {

constexpr std::size_t kMostOffsets = std::size_t{1} << 20;

}  // namespace

Reads reads_of(const Graph& graph, ValueId wanted) {
  const Cell here(graph.dimension(), 0);
  std::vector<Offsets> offsets(graph.value_count());  // at which the results read each Local
  std::vector<ValueId> extra;
  if (wanted.valid()) {
    extra.push_back(wanted);
    offsets[wanted.index].insert(here);
  }
  Reads reads;
  const auto order = canonical_order(graph, extra);
  for (auto id = order.rbegin(); id != order.rend(); ++id) {  // users before operands
    const Node& node = graph.node(*id);
    Offsets of_node;
    if (node.result_count == 0 || std::holds_alternative<Reduce>(node.instruction))
      of_node.insert(here);
    else
      for (int r = 0; r < node.result_count; ++r) {
        Offsets of_result = std::exchange(offsets[node.first_result.index + r], {});  // all known
        of_node.merge(of_result);
      }
    if (of_node.size() >= kMostOffsets)
      throw Error(fmt::format("a result reads a value in {} neighbours and more", kMostOffsets));
    if (const auto* load = std::get_if<Load>(&node.instruction))
      if (graph.type(node.first_result).is_local()) {
        auto& known = reads[load->step][load->source];
        known.insert(of_node.begin(), of_node.end());
      }
    const auto* shift = std::get_if<Shift>(&node.instruction);
    for (ValueId operand : node.operands) {
      if (!graph.type(operand).is_local()) continue;
      for (Cell offset : of_node) {
        if (shift)
          for (std::size_t a = 0; a < offset.size(); ++a) offset[a] -= shift->offset[a];
        offsets[operand.index].insert(std::move(offset));
      }
    }
  }
  return reads;
}

bool reads_between_steps(const Graph& graph) {
  return std::ranges::any_of(canonical_order(graph), [&](NodeId id) {
    const Node& node = graph.node(id);
    const auto* load = std::get_if<Load>(&node.instruction);
    return load != nullptr && load->step > 0 && graph.type(node.first_result).is_local();
  });
}

}  // namespace paraiso::om
