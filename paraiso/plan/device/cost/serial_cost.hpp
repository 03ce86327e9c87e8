// serial_cost: how long a processor takes that runs the threads of a block one after the other, as
// OpenCL's drivers for processors do. Gives: SerialTime, serial_time. Needs: block_work.
//
// A loop over all threads of a block stands between two barriers, and what a thread keeps across
// one lies in memory. So nothing is gained by keeping values on the chip; each loop of a sweep
// costs a turn of every thread, those around the tile included.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/device/cost/device_model.hpp"

namespace paraiso::plan {

/// Seconds of a launch.
struct SerialTime {
  double arithmetic = 0;
  double memory = 0;
  double kept = 0;  // turns of threads, and what they keep
};

[[nodiscard]] SerialTime serial_time(const KernelPlan& kernel, const Group& group,
                                     const Setting& setting, const DeviceModel& device);

}  // namespace paraiso::plan
