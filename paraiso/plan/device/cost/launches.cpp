#include "paraiso/plan/device/cost/launches.hpp"

#include <algorithm>

#include "paraiso/passes/cost.hpp"
#include "paraiso/plan/device/cost/device_model.hpp"
#include "paraiso/support/device/graphs.hpp"

namespace paraiso::plan {

Launches launches_of(const KernelPlan& kernel) {
  if (kernel.kernel->role == om::KernelRole::initial) return {};
  Launches launches;
  for (const Group& group : kernel.groups) {
    ++launches.count;
    for (const Stage& stage : group.stages)
      for (const Reduction& reduction : stage.reductions) launches.count += kernels_of(reduction);
  }
  for (const Extent& width : kernel.filled) launches.count += width.is_core() ? 0 : 1;
  launches.count += static_cast<double>(kernel.fills.size());
  const DeviceModel& device = documented_device();
  const passes::Cost cost = passes::cost_of(kernel.kernel->graph);
  launches.cell_nanoseconds =
      1e9 * std::max(cost.bytes / device.memory_second_bytes,
                     cost.operations / (device.units * device.f64_lanes * device.hertz));
  return launches;
}

bool becomes_graph(const Launches& launches, double cells) {
  return paraiso_support::launches_dominate(cells * launches.cell_nanoseconds, launches.count);
}

}  // namespace paraiso::plan
