#include "paraiso/plan/inner_states.hpp"

#include "paraiso/passes/step_chain.hpp"
#include "paraiso/passes/step_flow.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

class Settler {
 public:
  Settler(const Machine& machine, const Graph& graph, Choices& choices)
      : machine_(machine), graph_(graph), chain_(graph), choices_(choices) {}

  void run() {
    for (NodeId id : canonical_order(graph_)) {
      const Node& node = graph_.node(id);
      const auto* load = std::get_if<Load>(&node.instruction);
      if (!load || !chain_.is_inner(node.first_result)) continue;
      if (graph_.type(node.first_result).realm == Realm::local) settle(*load, node.first_result);
    }
  }

 private:
  void settle(const Load& load, ValueId state) {
    choices_.storage[state.index] = Storage::array;
    for (StaticId id : passes::statics_of_boundary(machine_, load.source)) {
      const auto value = chain_.latest(id, load.step);
      if (!value) continue;
      choices_.beside[state][id] = *value;
      keep(*value);
    }
  }

  /// The state at entry lies in an array of its own.
  void keep(ValueId value) {
    const bool entry = graph_.producer_as<Load>(value) && !chain_.is_inner(value);
    if (graph_.type(value).realm == Realm::local && !entry)
      choices_.storage[value.index] = Storage::array;
  }

  const Machine& machine_;
  const Graph& graph_;
  const passes::StepChain chain_;
  Choices& choices_;
};

}  // namespace

void settle_inner_states(const Machine& machine, const Kernel& kernel, Choices& choices) {
  Settler(machine, kernel.graph, choices).run();
}

}  // namespace paraiso::plan
