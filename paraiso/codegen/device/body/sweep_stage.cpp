#include "paraiso/codegen/device/body/sweep_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::KeptValue;
using plan::Stage;
using plan::Term;

std::string aged(const std::string& newest, int planes) {
  return planes == 0 ? newest : fmt::format("{}_{}", newest, planes);
}

Block SweepStageLowering::keeps() const {
  Block block;
  for (const plan::BufferWrite& write : stage_.buffer_writes) {
    const KeptValue& kept = group_.device.kept[write.buffer];
    const std::string& own = called_.own[write.buffer];
    ExprPtr value = root(write.root);
    if (kept.in_registers() > 0) {
      block.push_back({Assign{name(own), std::move(value)}});
      value = name(own);
    }
    if (kept.shared)
      block.push_back(
          {Assign{in_shared(write.buffer, stage_.behind(write.root)), std::move(value)}});
  }
  return block;
}

ExprPtr SweepStageLowering::read(const Term& term) {
  if (term.kind != Term::Kind::read_buffer) return CellLowering::read(term);
  const auto buffer = static_cast<int>(buffer_of(term));
  if (!plan::in_register(group_, buffer_of(term), term.offset))
    return in_shared(buffer, term.offset);
  return name(aged(called_.own[buffer], plane(newest(buffer)) - plane(term.offset)));
}

bool SweepStageLowering::must_read_first(const Term& term) const {
  if (term.kind != Term::Kind::read_buffer) return CellLowering::must_read_first(term);
  return std::ranges::count(stage_.buffer_writes, static_cast<int>(buffer_of(term)),
                            &plan::BufferWrite::buffer) > 0;
}

std::vector<std::string> SweepStageLowering::kept() const {
  std::vector<std::string> list;
  for (const plan::BufferWrite& write : stage_.buffer_writes)
    list.push_back(group_.device.kept[write.buffer].shared ? called_.kept[write.buffer]
                                                           : called_.own[write.buffer]);
  return list;
}

ExprPtr SweepStageLowering::in_shared(int buffer, const Offset& offset) const {
  const KeptValue& kept = group_.device.kept[buffer];
  ExprPtr cell = name(called_.kept[buffer]);
  if (kept.planes > 1) {
    const int ahead = (plane(offset) % kept.planes + kept.planes) % kept.planes;
    cell = subscript(cell,
                     make({DeviceExpr{Remainder{plus(name(kTurn), integer(ahead)), kept.planes}}}));
  }
  const auto axes = plan::thread_axes(group_, plan_.machine.dimension);
  for (std::size_t t = axes.size(); t-- > 0;)
    cell = subscript(cell, plus(name(called_.columns[t]), integer(offset[axes[t]])));
  return cell;
}

Offset SweepStageLowering::newest(int buffer) const {
  for (const Stage& stage : group_.stages)
    for (const plan::BufferWrite& write : stage.buffer_writes)
      if (write.buffer == buffer) return stage.behind(write.root);
  return {};
}

}  // namespace paraiso::codegen
