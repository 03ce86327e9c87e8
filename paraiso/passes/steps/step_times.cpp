#include "paraiso/passes/steps/step_times.hpp"

#include <map>

#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/passes/steps/extract_clock.hpp"
#include "paraiso/passes/steps/step_flow.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

/// What a fused kernel must have held, so that it could be fused.
Fusion fusion_of(const Machine& machine, int steps) {
  Fusion fusion{{}, steps, {}};
  for (const ReducedStatic& found : reductions_ahead(machine, *machine.step_kernel()))
    fusion.held.push_back(found.target);
  return fusion;
}

/// The ids that a clock's statics have in its machine.
std::vector<StaticId> globals_of(const Machine& machine) {
  std::vector<StaticId> globals;
  for (std::size_t s = 0; s < machine.statics.size(); ++s)
    if (machine.statics[s].type.realm == Realm::global) globals.push_back(StaticId(s));
  return globals;
}

/// Adds the clock's steps to a graph, one by one: what it has already is found there.
class ClockChain {
 public:
  ClockChain(const Graph& graph, const Graph& clock, std::vector<StaticId> globals)
      : graph_(graph), clock_(clock), globals_(std::move(globals)) {}

  /// The statics' values after another step.
  void take_step() {
    std::vector<ValueId> values(clock_.value_count());
    std::map<StaticId, ValueId> stored;
    for (const NodeId id : canonical_order(clock_)) {
      const Node& node = clock_.node(id);
      std::vector<ValueId> operands;
      for (const ValueId v : node.operands) operands.push_back(values[v.index]);
      if (const auto* store = std::get_if<Store>(&node.instruction)) {
        stored[store->target] = operands[0];
        continue;
      }
      const ValueId first = value_of(node, operands);
      for (int r = 0; r < node.result_count; ++r)
        values[node.first_result.index + r] = ValueId(first.index + r);
    }
    for (const auto& [id, value] : stored) now_[id] = value;
  }
  [[nodiscard]] ValueId now(StaticId id) const { return now_.at(id); }
  [[nodiscard]] const Graph& graph() const { return graph_; }

 private:
  ValueId value_of(const Node& node, const std::vector<ValueId>& operands) {
    const auto* load = std::get_if<Load>(&node.instruction);
    if (!load) return graph_.add(node.instruction, operands, node.location);
    if (const auto known = now_.find(load->source); known != now_.end()) return known->second;
    return graph_.add(Load{globals_[load->source.index], 0}, {}, node.location);
  }

  Graph graph_;
  const Graph& clock_;
  const std::vector<StaticId> globals_;
  std::map<StaticId, ValueId> now_;  // by the clock's ids; none: as at entry
};

/// The value that a kernel leaves as the time.
std::optional<ValueId> last_time(const Machine& machine, const Graph& graph) {
  for (const NodeId id : graph.stores()) {
    const auto& store = std::get<Store>(graph.node(id).instruction);
    if (store.target == *machine.find_role(StaticRole::time) && store.step == last_step(graph))
      return graph.node(id).operands[0];
  }
  return std::nullopt;
}

}  // namespace

std::vector<ValueId> step_times(const Machine& machine, const Kernel& kernel) {
  const int steps = last_step(kernel.graph) + 1;
  if (steps == 1 || !machine.step_kernel() || !machine.find_role(StaticRole::time)) return {};
  const auto clock = extract_clock(machine, fusion_of(machine, steps));
  if (!clock) return {};
  ClockChain chain(kernel.graph, clock->step_kernel()->graph, globals_of(machine));
  std::vector<ValueId> times;
  for (int step = 0; step < steps; ++step) {
    chain.take_step();
    times.push_back(chain.now(*clock->find_role(StaticRole::time)));
  }
  const bool is_there = chain.graph().value_count() == kernel.graph.value_count();
  return is_there && times.back() == last_time(machine, kernel.graph) ? times
                                                                      : std::vector<ValueId>{};
}

}  // namespace paraiso::passes
