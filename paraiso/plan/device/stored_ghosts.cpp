#include "paraiso/plan/device/stored_ghosts.hpp"

#include <algorithm>

#include "paraiso/om/divide/distribute.hpp"
#include "paraiso/plan/loops/found_ghosts.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Whether a stage's cells are those of the grid, each once.
bool makes_the_core(const Group& group, const Stage& stage) {
  if (!group.box.is_core()) return false;
  for (std::size_t a = 0; a < stage.reach.lower.size(); ++a) {
    const bool swept = !group.sweep.empty() && group.sweep.front() == static_cast<int>(a);
    if (!swept && (stage.reach.lower[a] != 0 || stage.reach.upper[a] != 0)) return false;
  }
  return true;
}

}  // namespace

void store_ghosts(const Machine& machine, KernelPlan& kernel, const std::vector<Extent>& widths) {
  kernel.ghosts_kept.assign(widths.size(), Extent(machine.dimension));
  const std::vector<StaticId> stored = stored_by(machine, *kernel.kernel);
  for (std::size_t s = 0; s < widths.size(); ++s)
    if (may_be_found(machine.statics[s]) && std::ranges::find(stored, StaticId(s)) == stored.end())
      kernel.ghosts_kept[s] = widths[s];
  for (const Group& group : kernel.groups)
    for (const Stage& stage : group.stages)
      for (const Output& output : stage.outputs)
        if (output.target && may_be_found(machine.at(*output.target)) &&
            makes_the_core(group, stage))
          kernel.ghosts_kept[output.target->index] = widths[output.target->index];
}

const Extent* ghosts_with(const KernelPlan& kernel, const Output& output) {
  if (!output.target || !kernel.keeps_ghosts(*output.target)) return nullptr;
  return &kernel.ghosts_kept[output.target->index];
}

bool fills_again(const KernelPlan& kernel, std::size_t id) {
  return !kernel.filled[id].is_core() && !kernel.keeps_ghosts(StaticId(id));
}

}  // namespace paraiso::plan
