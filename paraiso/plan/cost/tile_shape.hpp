// tile_shape: into which tiles a group divides a grid of a given size. Gives: TileShape,
// tile_shape, loop_cells. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Numbers are whole but for averages; a grid may have more cells than any integer counts.
struct TileShape {
  std::vector<double> cells;  // of a tile along each axis, on average
  double tiles = 1;
  double core_cells = 1;  // of the grid's core, a tile
  double imbalance = 1;   // how much longer the busiest thread works than the average one
  double active = 1;      // threads that have something to do
  double shared = 0;      // of a split group: rows that a tile and the next one both touch
};

[[nodiscard]] TileShape tile_shape(const Group& group, const std::vector<std::int64_t>& size,
                                   int threads);

/// Cells that a loop makes along an axis, a tile: of a split group together with the gap beside it.
[[nodiscard]] double loop_cells(const Group& group, const Stage& stage, const TileShape& shape,
                                int axis);

}  // namespace paraiso::plan
