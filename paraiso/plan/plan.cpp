#include "paraiso/plan/plan.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

Offset Stage::behind(int root) const {
  Offset offset = lags[root];
  for (auto& v : offset) v = -v;
  return offset;
}

std::int32_t Group::steepest() const {
  std::int32_t most = 0;
  for (const Stage& stage : stages) most = std::max(most, stage.slope);
  return most;
}

bool KernelPlan::computes_ghosts(StaticId id) const { return filled[id.index] != halo[id.index]; }

std::optional<ArrayRef> KernelPlan::array_read(const Group& group, const Term& term) const {
  if (term.kind == Term::Kind::read_array) {
    const auto own = group.arrays.find(term.value);
    return own == group.arrays.end() ? arrays.at(term.value) : own->second;
  }
  if (term.kind != Term::Kind::read_static) return std::nullopt;
  const Graph& graph = kernel->graph;
  return ArrayRef{graph.producer_as<Load>(term.value)->source, 0, graph.type(term.value).element};
}

const KernelPlan* Plan::find_kernel(std::string_view name) const {
  const auto found =
      std::ranges::find_if(kernels, [&](const KernelPlan& k) { return k.kernel->name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

}  // namespace paraiso::plan
