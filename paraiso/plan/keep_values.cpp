#include "paraiso/plan/keep_values.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

namespace {

// In units of an addition; measured on loops of the size of a Riemann solver, in cache.
constexpr double kStore = 1.5;
constexpr double kLoad = 1;
constexpr std::size_t kManyDisplacements = 64;  // enough to keep anything

class Keeper {
 public:
  Keeper(const Kernel& kernel, const KernelGenes& genes)
      : graph_(kernel.graph), order_(canonical_order(kernel.graph)), forced_(genes.forced) {
    gene_of_.assign(graph_.value_count(), -1);
    for (std::size_t g = 0; g < genes.storage.size(); ++g)
      for (ValueId v : genes.storage[g].values) gene_of_[v.index] = static_cast<int>(g);
    find_costs();
  }

  /// The storage genes to keep.
  std::set<int> run() {
    demand_.resize(graph_.value_count());
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) visit(graph_.node(*id));
    return kept_;
  }

 private:
  /// What computing a value once costs, were its operands kept nowhere; shared parts count each
  /// time, up to a limit.
  void find_costs() {
    constexpr double kEnough = 1e6;
    cost_.assign(graph_.value_count(), 0);
    for (NodeId id : order_) {
      const Node& node = graph_.node(id);
      double sum = 0;
      if (const auto* arith = std::get_if<Arith>(&node.instruction)) sum = info(arith->op).cost;
      if (!std::holds_alternative<Broadcast>(node.instruction))
        for (ValueId v : node.operands) sum += cost_[v.index];
      for (int r = 0; r < node.result_count; ++r)
        cost_[node.first_result.index + r] = std::min(sum, kEnough);
    }
  }

  void visit(const Node& node) {
    std::set<Offset> demand;
    const Offset here(graph_.dimension(), 0);
    if (std::holds_alternative<Store>(node.instruction) ||
        std::holds_alternative<Reduce>(node.instruction))
      demand.insert(here);
    for (int r = 0; r < node.result_count; ++r) {
      const ValueId v(node.first_result.index + r);
      if (keep(v))
        demand.insert(here);
      else
        demand.insert(demand_[v.index].begin(), demand_[v.index].end());
    }
    if (std::holds_alternative<Broadcast>(node.instruction)) return;
    for (ValueId v : node.operands)
      if (graph_.type(v).is_local()) ask(v, demand, node);
  }

  void ask(ValueId value, const std::set<Offset>& demand, const Node& user) {
    auto& asked = demand_[value.index];
    const auto* shift = std::get_if<Shift>(&user.instruction);
    for (Offset offset : demand) {
      if (asked.size() >= kManyDisplacements) return;
      if (shift)
        for (std::size_t a = 0; a < offset.size(); ++a) offset[a] -= shift->offset[a];
      asked.insert(std::move(offset));
    }
  }

  bool keep(ValueId value) {
    if (forced_.contains(value)) return true;
    const int gene = gene_of_[value.index];
    if (gene < 0) return false;
    if (kept_.contains(gene)) return true;
    const double uses = static_cast<double>(demand_[value.index].size());
    if (uses < 2 || (uses - 1) * cost_[value.index] <= kStore + uses * kLoad) return false;
    kept_.insert(gene);
    return true;
  }

  const Graph& graph_;
  std::vector<NodeId> order_;
  std::vector<int> gene_of_;
  const std::set<ValueId>& forced_;
  std::vector<double> cost_;
  std::vector<std::set<Offset>> demand_;
  std::set<int> kept_;
};

}  // namespace

std::set<int> values_to_keep(const Kernel& kernel, const KernelGenes& genes) {
  return Keeper(kernel, genes).run();
}

}  // namespace paraiso::plan
