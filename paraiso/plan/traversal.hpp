// traversal: how one group is made tile by tile: what a thread keeps meanwhile, which loops there
// are, in which order, and how far each lags behind in a sweep.
// Gives: Traversal, find_traversal, set_options, vector_cells. Needs: outputs.
//
// A sweep takes the rows of a tile in order, the first of its axes outermost; all loops run once a
// row. The loop at row r makes row r - lag of a value, where rows and lags are vectors over the
// sweep's axes. A value that is read at offset d must be made before its reader:
//
//   lag(value) + d <= lag(reader)      in the order of the sweep, for every offset d
//
// and how many rows (or planes) are kept follows from the oldest that is still read. Values that
// read each other at one index of axis 0 share one loop: of such a value the newest row is in a
// register, and older ones are read just before the newest takes their place.
//
// States between fused steps end at the grid's edge, but along cyclic axes: loops make them as far
// as that only, and after each row those cells beyond it are filled whose sources are there by now.
#pragma once

#include "paraiso/plan/outputs.hpp"

namespace paraiso::plan {

struct Traversal {
  Group group;                         // its arrays are not placed yet: Output::array is empty
  std::vector<Extent> statics;         // per static: how far beyond the core it is read
  Extent touched;                      // cells of memory that loops touch, surplus lanes included
  std::optional<Expansion> too_large;  // instead of stages: what alone needs more than the limit
};

/// `members` are places in `outputs.list`. Each loop body by itself may need `limit` terms.
[[nodiscard]] Traversal find_traversal(const om::Machine& machine, const om::Kernel& kernel,
                                       const Choices& choices, const Outputs& outputs,
                                       const std::vector<int>& members, std::size_t limit);

/// What of a group follows from options alone: its tiles and how its loops run.
void set_options(const om::Graph& graph, Group& group, const Choices& choices);

/// Vector loops start and end at multiples of this many cells; surplus lanes land in padding.
[[nodiscard]] int vector_cells(const om::Graph& graph, const Stage& stage);

}  // namespace paraiso::plan
