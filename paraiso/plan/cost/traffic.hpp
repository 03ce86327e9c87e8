// traffic: the bytes that a group moves between the levels of memory, from the reuse distance of
// each row of an array or of a buffer. Gives: Traffic, group_traffic. Needs: plan, machine_model,
// tile_shape.
//
// A thread traverses a tile row by row. A row that is touched again n rows later is still in a
// cache if all that is touched within n rows fits into it. (The "layer conditions" of stencil codes
// are the special case of one array and whole planes.)
#pragma once

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/cost/tile_shape.hpp"

namespace paraiso::plan {

/// Bytes per core cell. Between caches only fetches count, since evictions overlap with them. A
/// line that is overwritten is fetched first, unless it is written by streaming stores.
struct Traffic {
  std::vector<double> fetched;  // per cache, from the next larger one; into the last from memory
  double overwritten = 0;       // part of `fetched` from memory that is only overwritten
  double written = 0;           // to memory
};

/// `kernel_bytes`: a thread's share of all arrays that the kernel touches.
[[nodiscard]] Traffic group_traffic(const KernelPlan& kernel, const Group& group,
                                    const TileShape& shape, double kernel_bytes, bool streaming,
                                    const MachineModel& machine);

}  // namespace paraiso::plan
