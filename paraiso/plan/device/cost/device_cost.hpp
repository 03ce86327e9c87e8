// device_cost: how long a kernel takes on a device, and what bounds it.
// Gives: DeviceLimit, device_limits, predict_on_device. Needs: cost_model, block_work.
//
// A launch takes as long as the longest of: moving its bytes from memory and from L2, its
// instructions, its accesses of L1 and shared memory, and the time in which its threads wait, so
// many at a time as a multiprocessor holds. To it are added what the last, partly filled wave of
// blocks takes longer, and the launch itself. A processor that runs the threads one after the other
// has its arithmetic and its memory instead.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/device/cost/device_model.hpp"

namespace paraiso::plan {

enum class DeviceLimit : std::uint8_t { memory, l2, issue, l1, latency, tail, launch, halo };
/// Their names, in that order.
[[nodiscard]] LimitNames device_limits();

/// Of one call of a kernel of `machine`. Infinite where the device can't hold a block.
[[nodiscard]] Prediction predict_on_device(const om::Machine& machine, const KernelPlan& kernel,
                                           const Setting& setting);

}  // namespace paraiso::plan
