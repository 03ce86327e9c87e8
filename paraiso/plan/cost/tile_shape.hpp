// tile_shape: into which tiles a group divides a grid of a given size. Gives: TileShape,
// tile_shape, loop_cells. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Doubles, since some are averages and a grid may have more cells than an integer can count.
struct TileShape {
  std::vector<double> cells;  // of a tile along each axis, on average
  double tiles = 1;
  double core_cells = 1;   // of the grid's core, per tile
  double imbalance = 1;    // work of the busiest thread over the average
  double active = 1;       // threads with work
  double shared = 0;       // split groups: rows touched by a tile and by the next one
  bool cuts_rows = false;  // a row of a tile is a piece of a row
};

[[nodiscard]] TileShape tile_shape(const Group& group, const std::vector<std::int64_t>& size,
                                   int threads);

/// Cells that a loop computes along an axis, per tile; in a split group including the gap next to
/// it.
[[nodiscard]] double loop_cells(const Group& group, const Stage& stage, const TileShape& shape,
                                int axis);

}  // namespace paraiso::plan
