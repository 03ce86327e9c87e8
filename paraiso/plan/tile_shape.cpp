#include "paraiso/plan/tile_shape.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::plan {

TileShape tile_shape(const Group& group, const std::vector<std::int64_t>& size, int threads) {
  TileShape shape;
  double core = 1;
  for (std::size_t a = 0; a < size.size(); ++a) {
    const double cells = static_cast<double>(size[a]);
    const double all = cells + group.box.lower[a] + group.box.upper[a];
    const double unit = a == 0 ? static_cast<double>(group.granule) : 1;
    double length = all;
    if (group.tile[a] == kPerThread) length = std::ceil(all / unit / threads) * unit;
    if (group.tile[a] > 0) length = static_cast<double>(group.tile[a]);
    const double count = std::ceil(all / std::min(length, all));
    shape.cells.push_back(all / count);
    shape.tiles *= count;
    core *= cells;
  }
  shape.core_cells = core / shape.tiles;
  shape.active = std::min(shape.tiles, static_cast<double>(threads));
  shape.imbalance = std::ceil(shape.tiles / threads) * threads / shape.tiles;
  return shape;
}

}  // namespace paraiso::plan
