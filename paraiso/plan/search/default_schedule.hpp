// default_schedule: the schedule without tuning, for a given grid and machine.
// Gives: default_schedule. Needs: schedule, cost_model.
//
// Plans a few choices of stored values, then the best of them with loops cut apart and with sweeps
// along other axes; on each plan it tries tiles, vectors and streaming stores, one option at a
// time. The cost model decides. The size of the grid is often not known when code is generated:
// then the schedule is chosen for the usual_grids, from one whose arrays fit into a cache to one of
// which not even a few planes do; without a machine, for documented_machine. With a size, kernels
// keep that choice unless another one is noticeably faster on that grid.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"

namespace paraiso::plan {

/// With a size, the machine is as measured; without one, the caller says with how much caution.
[[nodiscard]] Schedule default_schedule(const om::Machine& machine, const Setting& setting);
/// For the usual grids on the documented machine.
[[nodiscard]] Schedule default_schedule(const om::Machine& machine);

}  // namespace paraiso::plan
