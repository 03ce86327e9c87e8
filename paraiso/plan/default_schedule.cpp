// The default planner: from nothing stored, store what the cost model says pays, gene by gene.
//
// A stage costs the larger of its arithmetic and its traffic with memory: storing a value saves its
// recomputation at other cells and costs bytes. Values of one record are rarely worth storing one
// by one, so values that are used at the same set of displacements are also tried together.
#include <algorithm>
#include <set>

#include "paraiso/plan/items.hpp"
#include "paraiso/plan/repair.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

// Two cores of a recent x86 server, measured; only the ratios matter here.
constexpr double kSecondsAnOperation = 1.0 / 50e9;
constexpr double kSecondsAByte = 1.0 / 30e9;
constexpr double kLeastGain = 0.98;      // a step must save 2 %
constexpr std::size_t kCandidates = 12;  // tried in earnest a round

double predict(const Graph& graph, const Stage& stage) {
  std::set<ValueId> read;
  double bytes = 0;
  for (const Term& term : stage.expansion.terms)
    if (term.kind == Term::Kind::read_array || term.kind == Term::Kind::read_static)
      if (read.insert(term.value).second) bytes += size_of(graph.type(term.value).element);
  for (const Output& output : stage.outputs)  // a line is read before it is written
    bytes += (output.array.front ? 1.0 : 2.0) * size_of(output.array.element);
  return std::max(stage.expansion.operations(graph) * kSecondsAnOperation, bytes * kSecondsAByte);
}

double predict(const Graph& graph, const KernelPlan& plan) {
  double seconds = 0;
  for (const Group& group : plan.groups)
    for (const Stage& stage : group.stages) seconds += predict(graph, stage);
  return seconds;
}

using GeneSet = std::vector<std::size_t>;  // positions in KernelGenes::storage, ascending

/// Genes worth a trial, most recomputed first: single ones, and sets used at equal displacements.
std::vector<GeneSet> candidates(const Graph& graph, const KernelGenes& genes,
                                const Choices& choices, const KernelPlan& plan) {
  std::vector<int> gene_of(graph.value_count(), -1);
  for (std::size_t g = 0; g < genes.storage.size(); ++g)
    for (ValueId v : genes.storage[g].values)
      if (!choices.stored[v.index]) gene_of[v.index] = static_cast<int>(g);

  std::map<std::size_t, std::set<Offset>> offsets;  // per gene
  std::map<std::size_t, double> recomputed;  // per gene: terms beyond the first of each value
  for (const Group& group : plan.groups) {
    std::set<ValueId> seen;
    for (const Term& term : group.stages[0].expansion.terms) {
      int gene = gene_of[term.value.index];
      if (term.kind != Term::Kind::compute || gene < 0) continue;
      offsets[gene].insert(term.offset);
      recomputed[gene] += seen.insert(term.value).second ? 0 : 1;
    }
  }
  std::map<std::set<Offset>, GeneSet> alike;
  for (NodeId id : canonical_order(graph)) {
    if (!std::holds_alternative<Shift>(graph.node(id).instruction)) continue;
    int gene = gene_of[graph.node(id).operands[0].index];
    if (gene < 0 || recomputed[gene] == 0) continue;
    auto& set = alike[offsets[gene]];
    if (std::ranges::find(set, gene) == set.end()) set.push_back(gene);
  }
  std::vector<std::pair<double, GeneSet>> ranked;
  for (auto& [gene, count] : recomputed)
    if (count > 0) ranked.push_back({-count, {gene}});
  std::ranges::stable_sort(ranked);
  if (ranked.size() > kCandidates) ranked.resize(kCandidates);
  std::vector<GeneSet> result;
  for (auto& [where, set] : alike)
    if (set.size() > 1) result.push_back(set);
  std::ranges::stable_sort(result, std::greater<>(),
                           [&](const GeneSet& set) { return recomputed[set[0]]; });
  if (result.size() > kCandidates) result.resize(kCandidates);
  for (auto& [count, set] : ranked) result.push_back(set);
  return result;
}

void store(Choices& choices, const StorageGene& gene, bool stored) {
  for (ValueId v : gene.values) choices.stored[v.index] = stored;
}

/// The greedy search on one kernel.
class StoragePlanner {
 public:
  StoragePlanner(const Machine& machine, const Kernel& kernel, const KernelGenes& genes)
      : machine_(machine), kernel_(kernel), genes_(genes), choices_(choices_of(kernel, genes, {})) {
    for (std::size_t g : repair_choices(kernel, genes, choices_)) needed_.insert(g);
    seconds_ = predicted(choices_);
  }

  /// The storage genes that become `array`.
  std::set<std::size_t> run() {
    while (add_best()) {
    }
    drop_what_no_longer_pays();
    stored_.insert(needed_.begin(), needed_.end());
    return stored_;
  }

 private:
  [[nodiscard]] double predicted(const Choices& choices) const {
    return predict(kernel_.graph, plan_kernel(machine_, kernel_, choices));
  }

  bool add_best() {
    const GeneSet* best = nullptr;
    double least = seconds_ * kLeastGain;
    const auto plan = plan_kernel(machine_, kernel_, choices_);
    const auto sets = candidates(kernel_.graph, genes_, choices_, plan);
    for (const GeneSet& set : sets) {
      Choices trial = choices_;
      for (std::size_t g : set) store(trial, genes_.storage[g], true);
      if (double seconds = predicted(trial); seconds < least) {
        least = seconds;
        best = &set;
      }
    }
    if (!best) return false;
    for (std::size_t g : *best) store(choices_, genes_.storage[g], true);
    stored_.insert(best->begin(), best->end());
    seconds_ = least;
    return true;
  }

  /// What paid early may not once its users are stored themselves.
  void drop_what_no_longer_pays() {
    for (std::size_t g : GeneSet(stored_.begin(), stored_.end())) {
      store(choices_, genes_.storage[g], false);
      // A loop body must not grow beyond what repair allows.
      const bool legal = !find_items(kernel_.graph, choices_, kLargestExpansion).too_large;
      const double seconds = legal ? predicted(choices_) : seconds_ + 1;
      if (seconds <= seconds_) {
        seconds_ = seconds;
        stored_.erase(g);
      } else {
        store(choices_, genes_.storage[g], true);
      }
    }
  }

  const Machine& machine_;
  const Kernel& kernel_;
  const KernelGenes& genes_;
  Choices choices_;
  std::set<std::size_t> needed_;  // by repair
  std::set<std::size_t> stored_;
  double seconds_ = 0;
};

}  // namespace

Schedule default_schedule(const Machine& machine) {
  Schedule schedule;
  for (const auto& kernel : machine.kernels) {
    auto genes = kernel_genes(kernel);
    for (std::size_t g : StoragePlanner(machine, kernel, genes).run())
      schedule.choices[genes.storage[g].name] = kArray;
  }
  return repair(machine, schedule);
}

}  // namespace paraiso::plan
