// traffic: the bytes that a group moves between the levels of memory, from how far apart in time a
// row of an array or of a buffer is touched again. Gives: Traffic, group_traffic. Needs: plan,
// machine_model, tile_shape.
//
// A thread goes over a tile row by row. What it touches in so many rows is known: if that fits into
// a cache, a row that is touched again after so many rows is still there. (The "layer conditions"
// of stencil codes are the special case of one array and whole planes.)
#pragma once

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/cost/tile_shape.hpp"

namespace paraiso::plan {

/// Bytes a core cell. Into caches only what is fetched counts: what they give back leaves them at
/// the same time. What is overwritten is fetched first, unless it is written past the caches.
struct Traffic {
  std::vector<double> fetched;  // per cache, from the next larger one; into the last from memory
  double overwritten = 0;       // of what comes from memory, what nobody reads
  double written = 0;           // to memory
};

/// `kernel_bytes`: of all arrays that the kernel touches, a thread's share.
[[nodiscard]] Traffic group_traffic(const KernelPlan& kernel, const Group& group,
                                    const TileShape& shape, double kernel_bytes, bool streaming,
                                    const MachineModel& machine);

}  // namespace paraiso::plan
