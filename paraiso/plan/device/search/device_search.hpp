// device_search: the schedule of a device without tuning, for a given grid and device.
// Gives: device_schedule. Needs: device_repair, device_cost.
//
// First where values lie: all in arrays, all on the chip, then those of one depth after the other
// the other way, or computed where they are read. On the best of these plans, shapes of blocks,
// chunks and marching. The cost model decides; a processor keeps nothing on the chip.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"

namespace paraiso::plan {

/// Without a size, for usual_grids; without a device, for the documented one.
[[nodiscard]] Schedule device_schedule(const om::Machine& machine, const Setting& setting);

}  // namespace paraiso::plan
