#include "paraiso/om/divide/late_reductions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace paraiso::om {
namespace {

using Reductions = std::set<ValueId>;

/// The results of reductions that Global values depend on.
Reductions reductions_behind(const Graph& graph, std::vector<ValueId> open) {
  Reductions found;
  std::set<ValueId> seen;
  while (!open.empty()) {
    const ValueId next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    if (graph.producer_as<Reduce>(next) != nullptr)
      found.insert(next);
    else
      open.insert(open.end(), graph.producer(next).operands.begin(),
                  graph.producer(next).operands.end());
  }
  return found;
}

void add_globals(const Graph& graph, std::set<StaticId>& read) {
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    const Node& node = graph.node(NodeId(n));
    const auto* load = std::get_if<Load>(&node.instruction);
    if (load != nullptr && !graph.type(node.first_result).is_local()) read.insert(load->source);
  }
}

struct GlobalStore {
  StaticId target;
  ValueId value;
};

/// Of each Global what the last step stores.
std::vector<GlobalStore> global_stores(const Graph& graph) {
  std::vector<GlobalStore> stores;
  for (const NodeId id : graph.stores()) {  // by step
    const Node& node = graph.node(id);
    if (graph.type(node.operands[0]).is_local()) continue;
    const GlobalStore store{std::get<Store>(node.instruction).target, node.operands[0]};
    const auto known = std::ranges::find(stores, store.target, &GlobalStore::target);
    if (known == stores.end())
      stores.push_back(store);
    else
      *known = store;
  }
  return stores;
}

/// Those that cells wait for; nothing if a later step reads a Global.
std::optional<Reductions> awaited_by_cells(const Graph& graph) {
  std::vector<ValueId> read;  // by cells
  for (const NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    if (std::holds_alternative<Broadcast>(node.instruction)) read.push_back(node.operands[0]);
    const auto* load = std::get_if<Load>(&node.instruction);
    if (load != nullptr && load->step > 0 && !graph.type(node.first_result).is_local())
      return std::nullopt;
  }
  return reductions_behind(graph, std::move(read));
}

/// A Global that is stored from an awaited reduction awaits the others that it is stored from.
void await_all_of_stores(const Graph& graph, const std::vector<GlobalStore>& stores,
                         Reductions& awaited) {
  for (std::size_t before = awaited.size() + 1; before != awaited.size();) {
    before = awaited.size();
    for (const GlobalStore& store : stores) {
      Reductions behind = reductions_behind(graph, {store.value});
      if (std::ranges::any_of(behind, [&](ValueId v) { return awaited.contains(v); }))
        awaited.merge(behind);
    }
  }
}

/// The values that late Globals are stored from, each computed once.
class LateValues {
 public:
  LateValues(const Graph& graph, const LateReductions& late, const Cell& size,
             std::span<const Constant> before, std::span<const Constant> results)
      : graph_(graph), size_(size), before_(before) {
    for (std::size_t i = 0; i < results.size(); ++i) known_[late.results[i]] = results[i];
  }

  /// Without recursion: a chain of operations may be long.
  Constant at(ValueId value) {
    std::vector<ValueId> asked{value};
    while (!known_.contains(value)) {
      const ValueId next = asked.back();
      const Node& node = graph_.producer(next);
      const std::size_t before = asked.size();
      for (const ValueId operand : node.operands)
        if (!known_.contains(operand)) asked.push_back(operand);
      if (asked.size() > before) continue;
      if (!known_.contains(next)) compute(node);
      asked.pop_back();
    }
    return known_.at(value);
  }

 private:
  /// Its operands are known.
  void compute(const Node& node) {
    std::vector<Constant> operands, out(static_cast<std::size_t>(node.result_count));
    for (const ValueId operand : node.operands) operands.push_back(known_.at(operand));
    if (const auto* imm = std::get_if<Imm>(&node.instruction)) {
      out[0] = imm->value;
    } else if (const auto* load = std::get_if<Load>(&node.instruction)) {
      out[0] = before_[load->source.index];
    } else if (const auto* size = std::get_if<LoadSize>(&node.instruction)) {
      out[0] = Constant(size_[static_cast<std::size_t>(size->axis)]);
    } else {
      const auto& arith = std::get<Arith>(node.instruction);
      evaluate(arith.op, operands, arith.target, out);
    }
    for (std::size_t r = 0; r < out.size(); ++r)
      known_[ValueId(node.first_result.index + r)] = out[r];
  }

  const Graph& graph_;
  const Cell& size_;
  std::span<const Constant> before_;
  std::map<ValueId, Constant> known_;
};

}  // namespace

LateReductions late_reductions(const Graph& graph) {
  auto awaited = awaited_by_cells(graph);
  if (!awaited) return {};
  const std::vector<GlobalStore> stores = global_stores(graph);
  await_all_of_stores(graph, stores, *awaited);
  LateReductions late;
  Reductions results;
  for (const GlobalStore& store : stores) {
    Reductions behind = reductions_behind(graph, {store.value});
    if (behind.empty() || awaited->contains(*behind.begin())) continue;
    late.targets.push_back(store.target);
    results.merge(behind);
  }
  late.results.assign(results.begin(), results.end());
  return late;
}

std::vector<ValueId> late_values(const Graph& graph, const LateReductions& late) {
  std::vector<ValueId> values;
  for (const GlobalStore& store : global_stores(graph))
    if (std::ranges::find(late.targets, store.target) != late.targets.end())
      values.push_back(store.value);
  return values;
}

std::vector<Constant> late_globals(const Graph& graph, const LateReductions& late, const Cell& size,
                                   std::span<const Constant> before,
                                   std::span<const Constant> results) {
  LateValues values(graph, late, size, before, results);
  std::vector<Constant> stored;
  for (const ValueId value : late_values(graph, late)) stored.push_back(values.at(value));
  return stored;
}

std::set<StaticId> globals_read(const Machine& machine, const Kernel& kernel) {
  std::set<StaticId> read;
  add_globals(kernel.graph, read);
  for (const auto& boundary : machine.boundary_kernels) add_globals(boundary.graph, read);
  return read;
}

bool reads_own_late(const Machine& machine, const Kernel& kernel) {
  const std::set<StaticId> read = globals_read(machine, kernel);
  return std::ranges::any_of(late_reductions(kernel.graph).targets,
                             [&](StaticId id) { return read.contains(id); });
}

}  // namespace paraiso::om
