#include "paraiso/plan/choices/inner_states.hpp"

#include "paraiso/om/cells/sides.hpp"
#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/passes/steps/step_flow.hpp"
#include "paraiso/passes/steps/turning.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

class Settler {
 public:
  Settler(const Machine& machine, const Graph& graph, KernelChoices& choices)
      : machine_(machine),
        graph_(graph),
        chain_(graph),
        turning_(passes::turning_axes(machine, graph)),
        choices_(choices) {}

  void run() {
    for (NodeId id : canonical_order(graph_)) {
      const Node& node = graph_.node(id);
      const auto* load = std::get_if<Load>(&node.instruction);
      if (!load || !chain_.is_inner(node.first_result)) continue;
      if (graph_.type(node.first_result).is_local()) settle(*load, node.first_result);
    }
  }

 private:
  void settle(const Load& load, ValueId state) {
    InnerState& inner = choices_.states[state];
    for (bool cyclic : passes::cyclic_axes(machine_.at(load.source)))
      inner.filled.push_back(!cyclic);
    Storage& storage = choices_.storage[state.index];
    if (storage != Storage::array && may_lie_in_tile(load, state)) return;
    storage = Storage::array;
    inner.filled.assign(graph_.dimension(), true);
    for (StaticId id : passes::statics_of_boundary(machine_, load.source)) {
      const auto value = chain_.latest(id, load.step);
      if (!value) continue;
      // The state itself is in its own array.
      const bool own = *value == chain_.operands(state)[0];
      inner.beside[id] = own ? state : *value;
      if (!own) keep(*value);
    }
  }

  [[nodiscard]] bool may_lie_in_tile(const Load& load, ValueId state) const {
    const auto& boundary = machine_.at(load.source).boundary;
    const auto& turning = turning_[chain_.operands(state)[0].index];
    for (std::size_t a = 0; a < boundary.size(); ++a) {
      if (is_cyclic(boundary[a]) && !turning[a]) return false;
      for (const Boundary& side : boundary[a])
        if (std::holds_alternative<UserBoundary>(side)) return false;
    }
    return true;
  }

  /// The state at entry is in an array of its own.
  void keep(ValueId value) {
    const bool entry = graph_.producer_as<Load>(value) && !chain_.is_inner(value);
    if (graph_.type(value).is_local() && !entry) choices_.storage[value.index] = Storage::array;
  }

  const Machine& machine_;
  const Graph& graph_;
  const passes::StepChain chain_;
  const std::vector<passes::Axes> turning_;
  KernelChoices& choices_;
};

}  // namespace

Extent made_box(const InnerState& state, Extent needed) {
  for (std::size_t a = 0; a < state.filled.size(); ++a)
    if (state.filled[a]) needed.lower[a] = needed.upper[a] = 0;
  return needed;
}

void settle_inner_states(const Machine& machine, const Kernel& kernel, KernelChoices& choices) {
  if (passes::last_step(kernel.graph) == 0) return;  // there are none
  Settler(machine, kernel.graph, choices).run();
}

}  // namespace paraiso::plan
