#include "paraiso/codegen/cpu/lower/group_frame.hpp"

#include "paraiso/codegen/lower/spelling.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::Lane;

std::string XGhostCells::of(StaticId id, Lane unit, const plan::Extent& reach) {
  auto [known, added] = known_.try_emplace({id, unit, reach.lower[0], reach.upper[0]});
  if (added) known->second = names_.unique(machine_.at(id).name + "_ends");
  return known->second;
}

Block XGhostCells::declarations() const {
  Block block;
  for (const auto& [key, variable] : known_) {
    const auto& [id, unit, lower, upper] = key;
    const Static& source = machine_.at(id);
    block.push_back(
        {DeclareRowEnds{variable, source.type.element, unit, lower, upper, source.boundary[0]}});
  }
  return block;
}

std::string OpaqueConstants::opaque(Constant value) {
  for (const auto& [known, variable] : known_)
    if (known == value) return variable;
  known_.emplace_back(value, names_.unique(value.bits() == 0 ? "zero" : "constant"));
  return known_.back().second;
}

Block OpaqueConstants::declarations() const {
  Block block;
  for (const auto& [value, variable] : known_)
    block.push_back({Declare{value.element(), variable, make({Opaque{value}})}});
  return block;
}

GroupFrame::GroupFrame(const plan::Plan& plan, const plan::KernelPlan& kernel,
                       const plan::Group& group)
    : plan(plan),
      kernel(kernel),
      group(group),
      graph(kernel.kernel->graph),
      dimension(plan.machine.dimension),
      names{"tile", "memory", "scratch", "lanes", "Lanes", kStreaming, kAhead},
      parameters(names),
      memory(group, dimension, names),
      row_ends(plan.machine, names),
      constants(names),
      coming(plan::prefetch_parts(kernel, group)),
      buffer_of(graph.value_count(), -1) {
  for (const auto own : kNamesOfSharing) names.take(own);
  if (group.cpu.overlapped)
    for (const auto own : kNamesOfRegions) names.take(own);
  for (const auto function : operator_functions()) names.take(function);
  for (int a = 0; a < 16; ++a) names.unique(loop_variable(a));
  for (std::size_t b = 0; b < group.buffers.size(); ++b)
    buffer_of[group.buffers[b].value.index] = static_cast<int>(b);
}

std::vector<ExprPtr> GroupFrame::row_at(const Offset& offset) const {
  std::vector<ExprPtr> cell;
  for (int a = 1; a < dimension; ++a)
    cell.push_back(plus(name(loop_variable(a)), integer(offset[a])));
  return cell;
}

ExprPtr GroupFrame::distance_ahead() const {
  const int axis = plan::prefetch_distance(group).axis;
  const auto length = [](int a) { return minus(make({TileEnd{a}}), make({TileBegin{a}})); };
  return times(make({RowsAhead{length(0), length(axis)}}), make({GridStride{axis}}));
}

}  // namespace paraiso::codegen
