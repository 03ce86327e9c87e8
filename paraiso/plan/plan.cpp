#include "paraiso/plan/plan.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

bool Stage::in_vectors() const { return vectors && expansion.terms.size() <= kLargestVectorBody; }

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

Extent KernelPlan::filled_halo(StaticId id) const {
  Extent filled = halo[id.index];
  if (own_row_ends[id.index]) filled.lower[0] = filled.upper[0] = 0;
  return filled;
}

std::optional<ArrayRef> KernelPlan::array_read(const Group& group, const Term& term) const {
  if (term.kind == Term::Kind::read_array) {
    const auto own = group.arrays.find(term.value);
    return own == group.arrays.end() ? arrays.at(term.value) : own->second;
  }
  if (term.kind != Term::Kind::read_static) return std::nullopt;
  const Graph& graph = kernel->graph;
  return ArrayRef{graph.producer_as<Load>(term.value)->source, 0, graph.type(term.value).element};
}

}  // namespace paraiso::plan
