// fusion_depth: the number of steps to fuse into one kernel. Gives: fusion_depth. Needs: passes,
// cost_model, default_schedule.
#pragma once

#include "paraiso/om/machine.hpp"
#include "paraiso/plan/cost/machine_model.hpp"

namespace paraiso::plan {

/// The number of steps in one kernel that takes the least time per step, by the cost model, for the
/// usual grids and default schedules on that machine. 1 where fusing gains nothing or is
/// impossible. The program must have been through `passes::prepare`.
[[nodiscard]] int fusion_depth(const om::Machine& program,
                               const MachineModel& machine = documented_machine());

}  // namespace paraiso::plan
