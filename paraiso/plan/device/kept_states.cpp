#include "paraiso/plan/device/kept_states.hpp"

#include <algorithm>

#include "paraiso/om/cells/sides.hpp"
#include "paraiso/plan/device/on_chip.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

bool repeats_cells(const Boundary& side) {
  return std::holds_alternative<Outflow>(side) || std::holds_alternative<Reflect>(side);
}

/// Of ghost cells beside a tile of so many cells: the block that has them has their sources. The
/// last tile may begin beyond the grid, at the end of the box; the first one begins as far below
/// it.
bool has_sources_across(const BufferFill& fill, const Extent& box, int axis, int tile) {
  return fill.width.lower[axis] + box.lower[axis] <= tile + fill.reach.upper[axis] &&
         fill.width.upper[axis] + box.upper[axis] <= fill.reach.lower[axis] + 1;
}

/// Of ghost planes above the grid: the chunk begins early enough.
bool has_sources_along(const BufferFill& fill, const Stage& stage, const Extent& box, int axis) {
  const int before = stage.reach.lower[axis] + fill.lag[axis];
  return fill.width.upper[axis] + box.upper[axis] <= before + 1;
}

}  // namespace

bool may_be_kept(const Static& state) {
  return std::ranges::all_of(state.boundary, [](const auto& sides) {
    return is_cyclic(sides) || std::ranges::all_of(sides, repeats_cells);
  });
}

bool has_sources(const Group& group, int dimension) {
  const ThreadBlock block = block_of(group, dimension);
  for (const Stage& stage : group.stages)
    for (const BufferFill& fill : stage.fills) {
      for (std::size_t t = 0; t < block.axes.size(); ++t)
        if (!has_sources_across(fill, group.box, block.axes[t], block.tile[t])) return false;
      if (!group.sweep.empty() && group.device.chunk > 0 &&
          !has_sources_along(fill, stage, group.box, group.sweep.front()))
        return false;
    }
  return true;
}

}  // namespace paraiso::plan
