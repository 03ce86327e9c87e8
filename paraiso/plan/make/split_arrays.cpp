#include "paraiso/plan/make/split_arrays.hpp"

#include <climits>

namespace paraiso::plan {

using namespace om;

SplitArrays::SplitArrays(const Graph& graph, Group& group, const std::vector<StaticId>& free,
                         std::set<ValueId> lasting, SpareArrays& spares)
    : graph_(graph), group_(group), lasting_(std::move(lasting)), spares_(spares) {
  for (StaticId id : free)
    uses_[{id, 0, graph.signature().statics[id.index].type.element}] = use_of_static(id);
}

void SplitArrays::run() {
  for (int s = 0; s < static_cast<int>(group_.stages.size()); ++s)
    for (Output& output : group_.stages[s].outputs) {
      output.array = array_for(output, s);
      uses_[output.array] = use_of(output);
    }
}

std::vector<ArrayRef> SplitArrays::returned() const {
  std::vector<ArrayRef> list;
  for (const auto& [array, use] : uses_)
    if (!array.front && use.stage < INT_MAX) list.push_back(array);
  return list;
}

void SplitArrays::note(LastUse& use, int stage, const Term& term) const {
  bool beside = false;
  for (std::size_t a = 0; a < term.offset.size(); ++a)
    beside = beside || term.offset[a] != -group_.stages[stage].lags[0][a];
  if (use.stage == stage) beside = beside || use.beside;
  use = {stage, beside};
}

SplitArrays::LastUse SplitArrays::use_of_static(StaticId id) const {
  LastUse use;
  for (int s = 0; s < static_cast<int>(group_.stages.size()); ++s)
    for (const Term& term : group_.stages[s].expansion.terms)
      if (reads_static(graph_, term, id)) note(use, s, term);
  return use;
}

SplitArrays::LastUse SplitArrays::use_of(const Output& output) const {
  LastUse use;
  if (output.target || lasting_.contains(output.value)) return {INT_MAX, true};
  for (int s = 0; s < static_cast<int>(group_.stages.size()); ++s)
    for (const Term& term : group_.stages[s].expansion.terms)
      if (term.kind == Term::Kind::read_array && term.value == output.value) note(use, s, term);
  return use;
}

/// Prefers the target's own array.
ArrayRef SplitArrays::array_for(const Output& output, int stage) {
  const Element element = graph_.type(output.value).element;
  const auto is_free = [&](const ArrayRef& array, const LastUse& use) {
    return spares_.fits(array, element, output.target) &&
           (use.stage < stage || (use.stage == stage && !use.beside));
  };
  const auto own = output.target ? uses_.find({*output.target, 0, element}) : uses_.end();
  if (own != uses_.end() && is_free(own->first, own->second)) return own->first;
  for (const auto& [array, use] : uses_)
    if (is_free(array, use)) return array;
  return spares_.take(element, output.target);
}

}  // namespace paraiso::plan
