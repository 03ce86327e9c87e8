// default_schedule: what runs untuned, for a grid and a processor that are told.
// Gives: default_schedule. Needs: schedule, cost_model.
//
// A few ways to keep values are planned, then the best of them with loops cut apart and with sweeps
// along the other axes; a few shapes of tiles, vectors and stores are tried on each plan, a choice
// at a time. What the cost model says is fastest is taken. The size of the grid is not known when
// code is generated: unless told, a schedule is chosen for the usual_grids, from one whose arrays
// fit into a cache to one of which not even a few planes do; unless told, on documented_machine.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"

namespace paraiso::plan {

[[nodiscard]] Schedule default_schedule(const om::Machine& machine, const Setting& setting);
/// For the usual grids on the documented machine.
[[nodiscard]] Schedule default_schedule(const om::Machine& machine);

}  // namespace paraiso::plan
