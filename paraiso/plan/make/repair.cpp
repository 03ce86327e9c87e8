#include "paraiso/plan/make/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/make/expansion_bound.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// How many distinct live values `root` is computed from, back to arrays; capped.
double cone_size(const Graph& graph, const KernelChoices& choices, ValueId root) {
  constexpr std::size_t kEnough = 2000;
  std::vector<ValueId> cone{root};
  std::unordered_map<ValueId, bool> seen{{root, true}};
  for (std::size_t i = 0; i < cone.size() && cone.size() < kEnough; ++i)
    for (ValueId v : graph.producer(cone[i]).operands)
      if (choices.storage[v.index] == Storage::inlined && seen.try_emplace(v, true).second)
        cone.push_back(v);
  return static_cast<double>(cone.size());
}

}  // namespace

std::optional<std::size_t> most_saving(const Graph& graph, const KernelGenes& genes,
                                       const KernelChoices& choices, const Expansion& expansion) {
  std::vector<int> gene_of(graph.value_count(), -1), count(graph.value_count());
  for (std::size_t g = 0; g < genes.storage.size(); ++g)
    for (ValueId v : genes.storage[g].values)
      if (choices.storage[v.index] == Storage::inlined) gene_of[v.index] = static_cast<int>(g);
  std::optional<std::size_t> half_way;
  for (std::size_t t = 0; t < expansion.terms.size(); ++t) {
    const Term& term = expansion.terms[t];
    if (term.kind != Term::Kind::compute || gene_of[term.value.index] < 0) continue;
    ++count[term.value.index];
    if (!half_way || t <= expansion.terms.size() / 2) half_way = gene_of[term.value.index];
  }
  std::vector<std::pair<int, ValueId>> often;
  for (std::size_t v = 0; v < count.size(); ++v)
    if (count[v] > 1) often.emplace_back(-count[v], ValueId(v));
  std::ranges::sort(often);
  if (often.size() > 30) often.resize(30);
  std::optional<std::size_t> best;
  double most = 0;
  for (auto [negative, v] : often) {
    double saved = (-negative - 1) * cone_size(graph, choices, v);
    if (saved > most) {
      most = saved;
      best = gene_of[v.index];
    }
  }
  return best ? best : half_way;
}

namespace {

/// Groups, identified by their results, none of whose loop bodies has too many terms. They stay so
/// when more values are stored.
using SmallGroups = std::set<std::vector<ValueId>>;

/// A loop body that has too many terms on its own, cut off at the limit.
std::optional<Expansion> find_too_large(const Machine& machine, const Kernel& kernel,
                                        const KernelChoices& choices, SmallGroups& small) {
  if (expansion_bound(kernel.graph, choices) <= kLargestExpansion) return std::nullopt;
  const KernelOutputs outputs = find_outputs(kernel.graph, choices);
  for (const auto& members : outputs.groups) {
    std::vector<ValueId> made;
    for (int m : members) made.push_back(outputs.list[m].value);
    if (small.contains(made)) continue;
    auto traversal = find_traversal(machine, kernel, choices, outputs, members, kLargestExpansion);
    if (traversal.too_large) return std::move(traversal.too_large);
    small.insert(std::move(made));
  }
  return std::nullopt;
}

bool has_split_group(const Machine& machine, const Kernel& kernel, const KernelChoices& choices) {
  const KernelOutputs outputs = find_outputs(kernel.graph, choices);
  return std::ranges::any_of(outputs.groups, [&](const std::vector<int>& members) {
    return find_traversal(machine, kernel, choices, outputs, members, SIZE_MAX).group.form ==
           Form::split;
  });
}

}  // namespace

bool is_plainly_legal(const Kernel& kernel, const KernelChoices& choices) {
  return !choices.split && choices.states.empty() &&
         expansion_bound(kernel.graph, choices) <= kLargestExpansion;
}

bool is_legal(const Machine& machine, const Kernel& kernel, const KernelChoices& choices) {
  SmallGroups small;
  return !find_too_large(machine, kernel, choices, small);
}

std::vector<std::size_t> repair_choices(const Machine& machine, const Kernel& kernel,
                                        const KernelGenes& genes, KernelChoices& choices) {
  std::vector<std::size_t> changed;
  SmallGroups small;
  for (;;) {
    const auto too_large = find_too_large(machine, kernel, choices, small);
    if (!too_large) return changed;
    auto gene = most_saving(kernel.graph, genes, choices, *too_large);
    if (!gene)
      throw Error(kernel.location,
                  fmt::format("kernel `{}` needs more than {} operations a cell, and `delayed` "
                              "annotations forbid to store any of them",
                              kernel.name, kLargestExpansion));
    for (ValueId v : genes.storage[*gene].values) choices.storage[v.index] = Storage::array;
    changed.push_back(*gene);
  }
}

std::map<std::string, std::string> repairs(const Machine& machine, const Kernel& kernel,
                                           const KernelGenes& genes, KernelChoices choices) {
  std::map<std::string, std::string> changed;
  for (const StorageGene& gene : genes.storage)
    if (std::ranges::all_of(gene.values, [&](ValueId v) {
          return choices.states.contains(v) && choices.storage[v.index] == Storage::array;
        }))
      changed[gene.name] = kArray;
  for (std::size_t g : repair_choices(machine, kernel, genes, choices))
    changed[genes.storage[g].name] = kArray;
  if (choices.split && !has_split_group(machine, kernel, choices))
    changed.insert(choice<&KernelOptions::split>(kernel, false));
  return changed;
}

Schedule repair(const Machine& machine, const Kernel& kernel, const GeneTable& table,
                const Schedule& schedule) {
  Schedule result;
  for (const auto& gene : table.genes) {
    auto found = schedule.choices.find(gene.name);
    bool known = found != schedule.choices.end() &&
                 std::ranges::find(gene.alleles, found->second) != gene.alleles.end();
    result.choices[gene.name] = known ? found->second : gene.alleles[0];
  }
  if (is_overlapped(kernel, schedule)) result.choices[exchange_gene(kernel).name] = kOverlapped;
  const auto choices = choices_of(machine, kernel, table.values, result);
  if (is_plainly_legal(kernel, choices)) return result;
  return overlaid(std::move(result), {repairs(machine, kernel, table.values, choices)});
}

Schedule repair(const Machine& machine, const Kernel& kernel, const Schedule& schedule,
                OptionTable options) {
  return repair(machine, kernel, gene_table(kernel, options), schedule);
}

Schedule repair(const Machine& machine, const Schedule& schedule, OptionTable options) {
  Schedule result;
  for (const auto& kernel : machine.kernels)
    result.choices.merge(repair(machine, kernel, schedule, options).choices);
  return overlaid(std::move(result), skew_choices(machine, schedule));
}

}  // namespace paraiso::plan
