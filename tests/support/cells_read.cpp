#include "tests/support/cells_read.hpp"

#include <algorithm>

namespace paraiso::test {

using namespace om;

std::set<CellsRead::Read> CellsRead::reads(const Kernel& kernel, const Box& core) {
  found_.clear();
  Walk walk{kernel.graph, false, {}, {}};
  for (NodeId store : kernel.graph.stores())
    add_result(walk, kernel.graph.node(store).operands[0], core);
  std::erase_if(found_, [&](const Read& read) { return core.holds(read.second); });
  return found_;
}

/// A stored or reduced value in each core cell, and all that is reduced on the way there.
void CellsRead::add_result(Walk& walk, ValueId v, const Box& core) {
  if (walk.graph.type(v).is_local()) core.for_each([&](const Cell& c) { visit(walk, v, c); });
  add_reductions(walk, v, core);
}

void CellsRead::add_reductions(Walk& walk, ValueId v, const Box& core) {
  if (!walk.seen_results.insert(v).second) return;
  const Node& node = walk.graph.producer(v);
  for (ValueId operand : node.operands) {
    if (std::holds_alternative<Reduce>(node.instruction))
      add_result(walk, operand, core);
    else
      add_reductions(walk, operand, core);
  }
}

void CellsRead::visit(Walk& walk, ValueId v, Cell cell) {
  if (!walk.graph.type(v).is_local() || !walk.seen.insert({v, cell}).second) return;
  const Node& node = walk.graph.producer(v);
  if (const auto* load = std::get_if<Load>(&node.instruction)) {
    if (walk.in_boundary) {
      for (std::size_t a = 0; a < cell.size(); ++a)
        cell[a] = std::clamp<std::int64_t>(cell[a], 0, size_[a] - 1);
      found_.insert({load->source, cell});
    } else if (load->step == step_) {
      visit_ghost(load->source, cell);
    }
    return;
  }
  if (const auto* shift = std::get_if<Shift>(&node.instruction))
    for (std::size_t a = 0; a < cell.size(); ++a) cell[a] -= shift->offset[a];
  for (ValueId operand : node.operands) visit(walk, operand, cell);
}

void CellsRead::visit_ghost(StaticId id, Cell cell) {
  for (std::size_t a = cell.size(); a-- > 0;)
    while (cell[a] < 0 || cell[a] >= size_[a]) {
      const bool upper = cell[a] > 0;
      const Boundary& side = machine_.at(id).boundary[a][upper];
      if (std::holds_alternative<Fixed>(side)) return;
      if (const auto* user = std::get_if<UserBoundary>(&side)) {
        const auto& kernel = machine_.boundary_kernels[user->kernel.index];
        Walk walk{kernel.graph, true, {}, {}};
        return visit(walk, kernel.result, cell);
      }
      if (std::holds_alternative<Cyclic>(side)) cell[a] += upper ? -size_[a] : size_[a];
      if (std::holds_alternative<Outflow>(side)) cell[a] = upper ? size_[a] - 1 : 0;
      if (std::holds_alternative<Reflect>(side))
        cell[a] = upper ? 2 * size_[a] - 1 - cell[a] : -1 - cell[a];
    }
  found_.insert({id, cell});
}

}  // namespace paraiso::test
