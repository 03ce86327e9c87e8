#include "paraiso/plan/search/keep_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/base/text.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

// The cost of storing a value, in additions; measured in cache on loops of the size of a Riemann
// solver.
constexpr double kStore = 1.5;
constexpr double kLoad = 1;
constexpr std::size_t kManyDisplacements = 64;  // enough to keep anything

class Keeper {
 public:
  Keeper(const Kernel& kernel, const KernelGenes& genes)
      : graph_(kernel.graph),
        genes_(genes),
        order_(canonical_order(kernel.graph)),
        forced_(genes.forced) {
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

  /// To be called after `run`.
  [[nodiscard]] std::vector<ValueDemand> demands() const {
    const std::vector<ValueDemand> ways = ways_to_values();
    const std::vector<std::uint64_t> computed = computations();
    std::vector<ValueDemand> all(genes_.storage.size());
    for (std::size_t g = 0; g < all.size(); ++g) {
      ValueDemand& all_of = all[g];
      all_of.kept = kept_.contains(static_cast<int>(g));
      for (ValueId v : genes_.storage[g].values) {
        const ValueDemand& way = ways[v.index];
        all_of.uses = std::max(all_of.uses, demand_[v.index].size());
        all_of.cost = std::max(all_of.cost, way.cost);
        all_of.divides = all_of.divides || way.divides;
        all_of.crosses = all_of.crosses || crosses(demand_[v.index]);
        all_of.stored = all_of.stored || is_stored(v);
        all_of.depth = std::max(all_of.depth, way.depth);
        all_of.axes |= axes_of(demand_[v.index]);
      }
      if (const auto& values = genes_.storage[g].values; !values.empty())
        all_of.made_by = maker_of(values.front());
      std::string computations;
      for (const ValueId v : genes_.storage[g].values) computations += hex(computed[v.index]);
      all_of.computation = fnv1a(computations);
    }
    return all;
  }

 private:
  /// The cost of computing a value once with all operands inlined; shared parts count each time, up
  /// to a limit.
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

  static unsigned axes_of(const std::set<Offset>& demand) {
    unsigned axes = 0;
    for (const Offset& offset : demand)
      for (std::size_t a = 0; a < offset.size(); ++a)
        if (offset[a] != (*demand.begin())[a]) axes |= 1u << a;
    return axes;
  }

  /// Of each value, the hash of the expression that makes it.
  [[nodiscard]] std::vector<std::uint64_t> computations() const {
    std::vector<std::uint64_t> hashes(graph_.value_count());
    for (NodeId id : order_) {
      const Node& node = graph_.node(id);
      std::string text = words_of(node.instruction);
      for (ValueId v : node.operands) text += " " + hex(hashes[v.index]);
      for (int r = 0; r < node.result_count; ++r) {
        const ValueId value(node.first_result.index + r);
        hashes[value.index] =
            fnv1a(fmt::format("{} {} {}", text, name(graph_.type(value).element), r));
      }
    }
    return hashes;
  }

  static std::string words_of(const Instruction& instruction) {
    return std::visit(
        Overload{[](const Imm& i) { return "imm " + i.value.text(); },
                 [](const Load& i) { return fmt::format("load {}", i.step); },
                 [](const Store&) { return std::string("store"); },
                 [](const Reduce& i) { return fmt::format("reduce {}", static_cast<int>(i.op)); },
                 [](const Broadcast&) { return std::string("broadcast"); },
                 [](const Shift& i) { return fmt::format("shift {}", fmt::join(i.offset, ",")); },
                 [](const LoadIndex& i) { return fmt::format("index {}", i.axis); },
                 [](const LoadSize& i) { return fmt::format("size {}", i.axis); },
                 [](const Arith& i) { return std::string(info(i.op).name); }},
        instruction);
  }

  [[nodiscard]] std::string maker_of(ValueId value) const {
    return std::visit(Overload{[](const Arith& i) { return std::string(info(i.op).name); },
                               [](const Load&) { return std::string("load"); },
                               [](const Shift&) { return std::string("shift"); },
                               [](const auto&) { return std::string("other"); }},
                      graph_.producer(value).instruction);
  }

  static bool crosses(const std::set<Offset>& demand) {
    for (const Offset& offset : demand)
      if (offset.back() != demand.begin()->back()) return true;
    return false;
  }

  [[nodiscard]] bool is_stored(ValueId value) const {
    for (NodeId id : order_) {
      const Node& node = graph_.node(id);
      if (!std::holds_alternative<Store>(node.instruction) &&
          !std::holds_alternative<Reduce>(node.instruction))
        continue;
      if (node.operands[0] == value) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_kept(ValueId value) const {
    return forced_.contains(value) ||
           (gene_of_[value.index] >= 0 && kept_.contains(gene_of_[value.index]));
  }

  /// Per value: cost, divides and depth.
  [[nodiscard]] std::vector<ValueDemand> ways_to_values() const {
    std::vector<ValueDemand> ways(graph_.value_count());
    for (NodeId id : order_) {
      const Node& node = graph_.node(id);
      ValueDemand way;
      if (const auto* arith = std::get_if<Arith>(&node.instruction)) {
        way.cost = info(arith->op).cost;
        way.divides = info(arith->op).unit == Unit::divider || info(arith->op).unit == Unit::root;
      }
      if (!std::holds_alternative<Broadcast>(node.instruction))
        for (ValueId v : node.operands) add(way, v, ways[v.index]);
      for (int r = 0; r < node.result_count; ++r) {
        const ValueId value(node.first_result.index + r);
        ways[value.index] = way;
        ways[value.index].depth += is_kept(value);
      }
    }
    return ways;
  }

  void add(ValueDemand& way, ValueId operand, const ValueDemand& to_it) const {
    way.depth = std::max(way.depth, to_it.depth);
    if (is_kept(operand)) return;
    way.cost += to_it.cost;
    way.divides = way.divides || to_it.divides;
  }

  const Graph& graph_;
  const KernelGenes& genes_;
  std::vector<NodeId> order_;
  std::vector<int> gene_of_;
  const std::set<ValueId>& forced_;
  std::vector<double> cost_;
  std::vector<std::set<Offset>> demand_;
  std::set<int> kept_;
};

/// A value and the offset at which it is read.
struct ShiftSource {
  ValueId value;
  Offset offset;
};

ShiftSource without_shifts(const Graph& graph, ValueId value) {
  ShiftSource taken{value, Offset(graph.dimension(), 0)};
  while (const auto* shift = graph.producer_as<Shift>(taken.value)) {
    for (std::size_t a = 0; a < taken.offset.size(); ++a) taken.offset[a] -= shift->offset[a];
    taken.value = graph.producer(taken.value).operands[0];
  }
  return taken;
}

/// If `value` = op(x[here], x[shifted along `axis`]), returns x; else nullopt.
std::optional<ValueId> made_of_planes(const Graph& graph, ValueId value, std::size_t axis) {
  const Node& node = graph.producer(value);
  if (!graph.producer_as<Arith>(value) || node.operands.size() != 2) return {};
  ShiftSource first = without_shifts(graph, node.operands[0]);
  ShiftSource second = without_shifts(graph, node.operands[1]);
  if (first.value != second.value || first.offset[axis] == second.offset[axis]) return {};
  first.offset[axis] = second.offset[axis] = 0;
  const Offset none(graph.dimension(), 0);
  return first.offset == none && second.offset == none ? std::optional(first.value) : std::nullopt;
}

}  // namespace

std::set<int> values_to_keep(const Kernel& kernel, const KernelGenes& genes) {
  return Keeper(kernel, genes).run();
}

std::vector<ValueDemand> demands(const Kernel& kernel, const KernelGenes& genes) {
  Keeper keeper(kernel, genes);
  keeper.run();
  return keeper.demands();
}

std::set<int> planes_to_join(const Kernel& kernel, const KernelGenes& genes,
                             const std::set<int>& kept, int axis) {
  const Graph& graph = kernel.graph;
  std::map<ValueId, int> joins;  // by what has the planes
  for (std::size_t g = 0; g < genes.storage.size(); ++g)
    if (const auto& values = genes.storage[g].values; values.size() == 1)
      if (const auto planes = made_of_planes(graph, values[0], axis))
        joins.emplace(*planes, static_cast<int>(g));
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    if (std::holds_alternative<Shift>(node.instruction)) continue;
    for (ValueId operand : node.operands) {
      const ShiftSource taken = without_shifts(graph, operand);
      const auto join = joins.find(taken.value);
      if (join != joins.end() && taken.offset[axis] != 0 &&
          node.first_result != genes.storage[join->second].values[0])
        joins.erase(join);
    }
  }
  std::set<int> places;
  for (int g : kept)
    for (ValueId value : genes.storage[g].values)
      if (const auto join = joins.find(value); join != joins.end()) places.insert(join->second);
  return places;
}

}  // namespace paraiso::plan
