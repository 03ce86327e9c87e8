// fusion_depth: how many steps one kernel had best take. Gives: fusion_depth. Needs: passes,
// cost_model, default_schedule.
#pragma once

#include "paraiso/om/machine.hpp"
#include "paraiso/plan/cost/machine_model.hpp"

namespace paraiso::plan {

/// Of a program that has been through `passes::prepare`: so many of its steps in one kernel take
/// the least time a step, by the cost model, for the usual grids and default schedules on that
/// machine. 1 where
/// nothing is gained, and where steps can't be fused.
[[nodiscard]] int fusion_depth(const om::Machine& program,
                               const MachineModel& machine = documented_machine());

}  // namespace paraiso::plan
