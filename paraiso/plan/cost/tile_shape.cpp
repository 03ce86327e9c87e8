#include "paraiso/plan/cost/tile_shape.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::plan {

TileShape tile_shape(const Group& group, const std::vector<std::int64_t>& size, int threads) {
  TileShape shape;
  double core = 1;
  for (std::size_t a = 0; a < size.size(); ++a) {
    const double cells = static_cast<double>(size[a]);
    const double all = cells + group.box.lower[a] + group.box.upper[a];
    const double unit = a == 0 ? static_cast<double>(group.cpu.granule) : 1;
    double length = cells;
    if (group.cpu.tile[a] == kPerThread) length = std::ceil(cells / unit / threads) * unit;
    if (group.cpu.tile[a] > 0) length = static_cast<double>(group.cpu.tile[a]);
    double count = std::ceil(cells / std::min(length, cells));
    if (group.form == Form::split && static_cast<int>(a) == group.cut) {
      shape.shared = 2.0 * group.steepest();
      count = group.cpu.tile[a] == kWholeAxis ? 1 : threads;
      if (group.cpu.tile[a] > 0)
        count = std::max(count, std::floor(cells / (length + group.steepest())));
      const double least = shape.shared + std::max(group.box.lower[a], group.box.upper[a]);
      count = std::min(count, std::max(1.0, std::floor(cells / std::max(1.0, least))));
    }
    shape.cells.push_back(all / count);
    if (a == 0) shape.cuts_rows = size.size() > 1 && count > 1;
    shape.tiles *= count;
    core *= cells;
  }
  shape.core_cells = core / shape.tiles;
  shape.active = std::min(shape.tiles, static_cast<double>(threads));
  shape.imbalance = std::ceil(shape.tiles / threads) * threads / shape.tiles;
  return shape;
}

double loop_cells(const Group& group, const Stage& stage, const TileShape& shape, int axis) {
  const double beyond = stage.reach.lower[axis] + stage.reach.upper[axis];
  const bool cut = group.form == Form::split && axis == group.cut;
  return shape.cells[axis] + (cut ? beyond / shape.tiles : beyond);
}

}  // namespace paraiso::plan
