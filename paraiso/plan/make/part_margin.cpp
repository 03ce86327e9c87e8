#include "paraiso/plan/make/part_margin.hpp"

#include <algorithm>
#include <cstdlib>

namespace paraiso::plan {
namespace {

/// The furthest that boundary kernels read along each axis.
std::vector<std::int32_t> boundary_reach(const om::Machine& machine) {
  std::vector<std::int32_t> reach(static_cast<std::size_t>(machine.dimension), 0);
  for (const auto& kernel : machine.boundary_kernels)
    for (const auto& [step, statics] : om::reads_of(kernel.graph, kernel.result))
      for (const auto& [id, offsets] : statics)
        for (const om::Cell& offset : offsets)
          for (std::size_t a = 0; a < reach.size(); ++a)
            reach[a] = std::max(reach[a], static_cast<std::int32_t>(std::abs(offset[a])));
  return reach;
}

}  // namespace

Extent part_margin(const Plan& plan) {
  Extent margin = plan.margin;
  const auto reach = boundary_reach(plan.machine);
  for (std::size_t a = 0; a < reach.size(); ++a) {
    std::int32_t widest = std::max(margin.lower[a], margin.upper[a]);
    for (const Extent& halo : plan.halo)
      if (!halo.lower.empty()) widest = std::max({widest, halo.lower[a], halo.upper[a]});
    margin.lower[a] = margin.upper[a] = widest + reach[a];
  }
  return margin;
}

std::vector<om::Want> part_wants(const KernelPlan& kernel) {
  return om::exact_wants(om::reads_of(kernel.kernel->graph)[0]);
}

}  // namespace paraiso::plan
