#include "paraiso/plan/device/cost/launches.hpp"

#include <algorithm>
#include <bit>

#include "paraiso/om/graph/reduces.hpp"
#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/plan/device/cost/device_model.hpp"
#include "paraiso/plan/device/stored_ghosts.hpp"
#include "paraiso/support/device/graphs.hpp"
#include "paraiso/support/device/reduce.hpp"

namespace paraiso::plan {

double kernels_of(const Reduction& reduction, om::Element element,
                  const std::vector<std::int64_t>& size) {
  if (!om::has_order(reduction.op, element)) return kernels_of(reduction);
  int bits = 0;  // of the number of chunks, along each axis padded to a power of two
  for (std::size_t a = 0; a < size.size(); ++a) {
    const std::int64_t cells = a == 0 ? paraiso_support::ReductionTree::chunk_cells : 1;
    bits += std::bit_width(static_cast<std::uint64_t>((size[a] + cells - 1) / cells - 1));
  }
  return kernels_of(reduction) - 1 + (bits + 7) / 8;
}

double fills_of(const KernelPlan& kernel) {
  bool fills = false;
  for (std::size_t s = 0; s < kernel.filled.size(); ++s) fills = fills || fills_again(kernel, s);
  double count = fills;
  for (const auto& step : kernel.steps) {
    if (step.scalar) continue;
    count += step.fill >= 0 && !fills;
    fills = step.fill >= 0;
  }
  return count;
}

Launches launches_of(const KernelPlan& kernel) {
  if (kernel.kernel->role == om::KernelRole::initial) return {};
  Launches launches;
  for (const Group& group : kernel.groups) {
    ++launches.count;
    for (const Stage& stage : group.stages)
      for (const Reduction& reduction : stage.reductions) launches.count += kernels_of(reduction);
  }
  launches.count += fills_of(kernel);
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
