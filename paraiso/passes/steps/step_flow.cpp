#include "paraiso/passes/steps/step_flow.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace paraiso::passes {

using namespace om;

namespace {

/// The Loads and Reduces that a Global is computed from.
struct ScalarSources {
  std::vector<NodeId> loads, reduces;
};

/// Walks Global arithmetic up to the Loads and Reduces that it begins with.
ScalarSources sources_of(const Graph& graph, ValueId scalar) {
  ScalarSources sources;
  std::set<NodeId> seen;
  std::vector<NodeId> stack = {graph.value(scalar).producer};
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (!seen.insert(id).second) continue;
    const Node& node = graph.node(id);
    if (std::holds_alternative<Load>(node.instruction)) sources.loads.push_back(id);
    if (std::holds_alternative<Reduce>(node.instruction))
      sources.reduces.push_back(id);
    else
      for (ValueId v : node.operands) stack.push_back(graph.value(v).producer);
  }
  std::ranges::sort(sources.loads);
  std::ranges::sort(sources.reduces);
  return sources;
}

StaticId loaded(const Graph& graph, NodeId id) {
  return std::get<Load>(graph.node(id).instruction).source;
}

/// Calls `f(boundary kernel)` for each one that fills a side of `id`.
template <class F>
void for_each_boundary_kernel(const Machine& machine, StaticId id, F&& f) {
  for (const auto& axis : machine.at(id).boundary)
    for (const Boundary& side : axis)
      if (const auto* user = std::get_if<UserBoundary>(&side))
        f(machine.boundary_kernels[user->kernel.index]);
}

/// Calls `f(static, location)` for each Load that a boundary kernel's result depends on.
template <class F>
void for_each_load(const BoundaryKernel& kernel, F&& f) {
  // A boundary kernel has no Store, so its live nodes are those of its result.
  for (NodeId id : canonical_order(kernel.graph, std::span(&kernel.result, 1)))
    if (std::holds_alternative<Load>(kernel.graph.node(id).instruction))
      f(loaded(kernel.graph, id), kernel.graph.node(id).location);
}

/// The Global statics that the next step's cells or time depend on, each with the location of a
/// read.
class Reaching {
 public:
  Reaching(const Machine& machine, const Kernel& kernel) : machine_(machine), graph_(kernel.graph) {
    for (NodeId id : graph_.stores())
      value_of_[std::get<Store>(graph_.node(id).instruction).target] = id;
    for (NodeId id : canonical_order(graph_)) see(graph_.node(id));
    see_time();
    follow();
  }
  [[nodiscard]] const std::map<StaticId, Location>& statics() const { return reaching_; }

 private:
  void see(const Node& node) {
    if (std::holds_alternative<Broadcast>(node.instruction)) add_sources(node.operands[0]);
    if (const auto* load = std::get_if<Load>(&node.instruction))
      for_each_boundary_kernel(machine_, load->source, [&](const BoundaryKernel& kernel) {
        for_each_load(kernel, [&](StaticId id, Location location) {
          if (machine_.at(id).type.realm == Realm::global) add(id, location);
        });
      });
  }
  void see_time() {
    const auto time = machine_.find_role(StaticRole::time);
    if (!time || !value_of_.contains(*time)) return;
    add(*time, graph_.node(value_of_.at(*time)).location);
  }
  void add_sources(ValueId scalar) {
    for (NodeId id : sources_of(graph_, scalar).loads)
      add(loaded(graph_, id), graph_.node(id).location);
  }
  void add(StaticId id, Location location) {
    if (reaching_.emplace(id, location).second) fresh_.push_back(id);
  }
  /// Whatever a reaching static is computed from reaches too.
  void follow() {
    while (!fresh_.empty()) {
      const auto store = value_of_.find(fresh_.back());
      fresh_.pop_back();
      if (store != value_of_.end()) add_sources(graph_.node(store->second).operands[0]);
    }
  }

  const Machine& machine_;
  const Graph& graph_;
  std::map<StaticId, NodeId> value_of_;  // the Store of each static
  std::map<StaticId, Location> reaching_;
  std::vector<StaticId> fresh_;
};

}  // namespace

StaticSet statics_stored(const Graph& graph) {
  StaticSet stored;
  for (NodeId id : graph.stores())
    stored.insert(std::get<Store>(graph.node(id).instruction).target);
  return stored;
}

std::vector<NodeId> nodes_for(const Graph& graph, const StaticSet& targets) {
  const auto order = canonical_order(graph);
  std::vector<bool> needed(graph.node_count());
  for (auto id = order.rbegin(); id != order.rend(); ++id) {  // users before operands
    const Node& node = graph.node(*id);
    const auto* store = std::get_if<Store>(&node.instruction);
    if (store && targets.contains(store->target)) needed[id->index] = true;
    if (!needed[id->index]) continue;
    for (ValueId v : node.operands) needed[graph.value(v).producer.index] = true;
  }
  std::vector<NodeId> nodes;
  std::ranges::copy_if(order, std::back_inserter(nodes),
                       [&](NodeId id) { return needed[id.index]; });
  return nodes;
}

StaticSet statics_read(const Machine& machine, const Graph& graph, std::span<const NodeId> nodes) {
  StaticSet read;
  for (NodeId id : nodes) {
    if (!std::holds_alternative<Load>(graph.node(id).instruction)) continue;
    read.insert(loaded(graph, id));
    read.merge(statics_of_boundary(machine, loaded(graph, id)));
  }
  return read;
}

StaticSet statics_of_boundary(const Machine& machine, StaticId id) {
  StaticSet read;
  for_each_boundary_kernel(machine, id, [&](const BoundaryKernel& kernel) {
    for_each_load(kernel, [&](StaticId source, Location) { read.insert(source); });
  });
  return read;
}

StaticSet statics_carried(const Machine& machine, const Kernel& kernel) {
  const StaticSet stored = statics_stored(kernel.graph);
  const StaticSet read = statics_read(machine, kernel.graph, canonical_order(kernel.graph));
  StaticSet carried;
  std::ranges::set_intersection(stored, read, std::inserter(carried, carried.end()));
  return carried;
}

std::vector<ReducedStatic> reductions_ahead(const Machine& machine, const Kernel& kernel) {
  const Graph& graph = kernel.graph;
  const Reaching reaching(machine, kernel);
  std::vector<ReducedStatic> found;
  for (NodeId id : graph.stores()) {
    const Node& node = graph.node(id);
    const StaticId target = std::get<Store>(node.instruction).target;
    const auto read = reaching.statics().find(target);
    if (read == reaching.statics().end()) continue;
    const auto reduces = sources_of(graph, node.operands[0]).reduces;
    if (!reduces.empty()) found.push_back({target, graph.node(reduces[0]).location, read->second});
  }
  return found;
}

std::optional<ReducedCell> reduction_within(const Graph& graph, const StaticSet& targets) {
  for (NodeId id : nodes_for(graph, targets)) {
    const Node& node = graph.node(id);
    if (!std::holds_alternative<Broadcast>(node.instruction)) continue;
    const auto reduces = sources_of(graph, node.operands[0]).reduces;
    if (!reduces.empty()) return ReducedCell{graph.node(reduces[0]).location, node.location};
  }
  return std::nullopt;
}

}  // namespace paraiso::passes
