// stage_loads: brings cells that several threads of a block read on the chip first.
// Gives: with_staged_loads. Needs: plan; inside traversal.
//
//   loop 1 at plane k: reads u at (-1, 0, 0), (1, 0, 0), (0, 0, -1), (0, 0, 1), ...
//   ->
//   loop 1 at plane k: reads u at (0, 0, 1), and keeps it
//   loop 2 at plane k: reads what is kept
//
// A sweep only. Of planes, only arrays that are read in other columns: what a thread reads in its
// own column alone no other thread has, and a cache holds. Each cell is then fetched once a block,
// and neighbours are those of shared memory; but threads at a block's rim only fetch, and its tile
// is narrower. Of columns, only what a thread reads at several planes of its own: the tile stays as
// it is, and neighbours come from a cache.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The group, whose `device` is not made yet; itself where there is nothing to stage.
[[nodiscard]] Group with_staged_loads(const om::Graph& graph, Group group, Staging staging);

}  // namespace paraiso::plan
