#include "paraiso/plan/loops/found_ghosts.hpp"

#include <algorithm>

#include "paraiso/plan/loops/traversal.hpp"

namespace paraiso::plan {

using namespace om;

bool may_be_found(const Static& state) {
  return std::ranges::none_of(state.boundary, [](const auto& sides) {
    return std::ranges::any_of(
        sides, [](const Boundary& side) { return std::holds_alternative<UserBoundary>(side); });
  });
}

namespace {

/// Whether a loop that overwrites a static cell by cell reads it beyond the grid, too: what it
/// would find there are cells of the grid, which other threads overwrite.
bool overwrites_what_it_finds(const KernelPlan& kernel, StaticId id) {
  for (const Group& group : kernel.groups)
    for (const Stage& stage : group.stages)
      if (std::ranges::any_of(stage.outputs,
                              [&](const Output& o) { return o.array.front == id; }) &&
          std::ranges::any_of(stage.expansion.terms, [&](const Term& term) {
            return reads_static(kernel.kernel->graph, term, id) &&
                   !axes_beyond(group, stage, term.offset).empty();
          }))
        return true;
  return false;
}

}  // namespace

void find_ghosts(const Machine& machine, KernelPlan& kernel) {
  for (std::size_t s = 0; s < kernel.filled.size(); ++s)
    if (may_be_found(machine.statics[s]) && !overwrites_what_it_finds(kernel, StaticId(s)))
      kernel.filled[s] = Extent(machine.dimension);
}

bool finds_ghosts(const KernelPlan& kernel, StaticId id) {
  return !kernel.halo[id.index].is_core() && kernel.filled[id.index].is_core();
}

std::vector<int> axes_beyond(const Group& group, const Stage& stage, const Offset& offset) {
  const Extent cells = cells_run_over(group, stage);
  std::vector<int> axes;
  for (int a = 0; a < static_cast<int>(offset.size()); ++a)
    if (cells.lower[a] - offset[a] > 0 || cells.upper[a] + offset[a] > 0) axes.push_back(a);
  return axes;
}

}  // namespace paraiso::plan
