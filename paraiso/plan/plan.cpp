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

Offset Skews::of(StaticId id) const {
  return id.index < statics.size() ? statics[id.index] : Offset();
}

Offset Skews::of(const ArrayRef& array) const {
  if (array.front) return of(*array.front);
  const auto known = spares.find(size_of(array.element));
  const auto number = static_cast<std::size_t>(array.spare);
  return known != spares.end() && number < known->second.size() ? known->second[number] : Offset();
}

const KernelPlan* Plan::find_kernel(std::string_view name) const {
  const auto found =
      std::ranges::find_if(kernels, [&](const KernelPlan& k) { return k.kernel->name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

std::vector<SkewedArray> skewed_arrays(const Plan& plan) {
  std::vector<SkewedArray> list;
  const auto add = [&](std::size_t bytes, const Offset& skew) {
    if (!skew.empty()) list.push_back({bytes, skew});
  };
  for (std::size_t s = 0; s < plan.skews.statics.size(); ++s)
    if (const Type& type = plan.machine.statics[s].type; type.is_local())
      add(size_of(type.element), plan.skews.statics[s]);
  for (const auto& [bytes, skews] : plan.skews.spares)
    for (const Offset& skew : skews) add(bytes, skew);
  return list;
}

}  // namespace paraiso::plan
