// body_work: the instructions of one loop body on a device, for one cell or the vector of cells that
// a thread makes at once. Gives: BodyWork, body_work. Needs: plan, device_model.
#pragma once

#include "paraiso/plan/device/cost/device_model.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

struct BodyWork {
  double f64 = 0, f32 = 0, other = 0;  // instructions of a thread
  double l1_bytes = 0;                 // that a thread's loads and stores move, on chip included
  double cycles = 0;                   // from the first load's arrival to the last result
  bool waits_for_arrays = false;       // it reads one
  double loads = 0;                    // of arrays
};

/// `group`: that of the stage, whose values have places.
[[nodiscard]] BodyWork body_work(const om::Graph& graph, const Group& group, const Stage& stage,
                                 const DeviceModel& device);

}  // namespace paraiso::plan
