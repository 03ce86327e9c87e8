#include "paraiso/plan/device/thread/body_bound.hpp"

#include <algorithm>
#include <set>

#include "paraiso/plan/device/thread/order_terms.hpp"
#include "paraiso/plan/make/repair.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Scalars and indices are arguments, or made where they are needed.
bool takes_registers(const Term& term) {
  return term.kind != Term::Kind::scalar && term.kind != Term::Kind::index;
}

std::optional<Expansion> body_too_large(const Machine& machine, const Kernel& kernel,
                                        const KernelChoices& choices, int registers,
                                        std::set<std::vector<ValueId>>& small) {
  const KernelOutputs outputs = find_outputs(kernel.graph, choices);
  for (const auto& members : outputs.groups) {
    std::vector<ValueId> made;
    for (const int m : members) made.push_back(outputs.list[m].value);
    if (small.contains(made)) continue;
    Traversal found = find_traversal(machine, kernel, choices, outputs, members, kMostDeviceTerms);
    if (found.too_large) return std::move(found.too_large);
    for (Stage& stage : found.group.stages) {
      order_terms(kernel.graph, stage.expansion);
      if (live_registers(kernel.graph, stage.expansion) > registers)
        return std::move(stage.expansion);
    }
    small.insert(std::move(made));
  }
  return std::nullopt;
}

}  // namespace

int live_registers(const Graph& graph, const Expansion& expansion) {
  std::vector<std::size_t> last(expansion.terms.size());
  for (std::size_t t = 0; t < expansion.terms.size(); ++t)
    for (const int operand : expansion.terms[t].operands) last[operand] = t;
  for (const int root : expansion.roots) last[root] = expansion.terms.size();
  std::vector<int> freed(expansion.terms.size() + 1);
  int live = 0, most = 0;
  for (std::size_t t = 0; t < expansion.terms.size(); ++t) {
    const Term& term = expansion.terms[t];
    if (takes_registers(term)) {
      const int registers = size_of(graph.type(term.value).element) > 4 ? 2 : 1;
      live += registers;
      freed[last[t]] += registers;
    }
    most = std::max(most, live);
    live -= freed[t];
  }
  return most;
}

std::vector<std::size_t> bound_bodies(const Machine& machine, const Kernel& kernel,
                                      const KernelGenes& genes, KernelChoices& choices,
                                      int registers) {
  std::vector<std::size_t> changed;
  std::set<std::vector<ValueId>> small;
  while (const auto body = body_too_large(machine, kernel, choices, registers, small)) {
    const auto gene = most_saving(kernel.graph, genes, choices, *body);
    if (!gene) return changed;
    for (const ValueId value : genes.storage[*gene].values)
      choices.storage[value.index] = Storage::array;
    changed.push_back(*gene);
  }
  return changed;
}

}  // namespace paraiso::plan
