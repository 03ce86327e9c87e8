// traversal: how one group is computed tile by tile: its buffers, its loops and their order, and
// how far each loop lags behind in a sweep.
// Gives: Traversal, find_traversal, cells_run_over, memory_touched. Needs: outputs; inside
// list_items, item_boxes, loop_levels, loop_lags, make_stages and buffer_lines, in this order.
//
// A sweep traverses the rows of a tile in order, the first of its axes outermost; all loops run
// once a row. The loop at row r computes row r - lag of a value, where rows and lags are vectors
// over the sweep's axes. Values that read each other at one index of axis 0 share one loop.
//
// States between fused steps end at the grid's edge, except along cyclic axes: loops compute them
// only up to the edge, and after each row those ghost cells are filled whose sources exist by then.
#pragma once

#include <functional>
#include <map>

#include "paraiso/plan/groups/outputs.hpp"

namespace paraiso::plan {

struct Traversal {
  Group group;                         // without places for its arrays: Output::array is empty
  std::map<int, Extent> statics;       // those read: how far beyond the core
  Extent touched;                      // cells of memory that loops touch
  std::optional<Expansion> too_large;  // instead of stages: a body that exceeds the limit
};

/// `members` are places in `outputs.list`. Each loop body may have up to `limit` terms.
[[nodiscard]] Traversal find_traversal(const om::Machine& machine, const om::Kernel& kernel,
                                       const KernelChoices& choices, const KernelOutputs& outputs,
                                       const std::vector<int>& members, std::size_t limit);

/// The cells outside the core that a loop computes.
[[nodiscard]] Extent cells_run_over(const Group& group, const Stage& stage);

/// The cells that loops read or write in memory, where each computes those that `cells_of` says.
[[nodiscard]] Extent memory_touched(
    const Group& group, const std::function<Extent(const Group&, const Stage&)>& cells_of);

}  // namespace paraiso::plan
