// extract_clock: a machine that computes only the times of steps. A run needs them before it takes
// several steps at once.
//
//   static u local f64               static time global f64 time
//   static time global f64 time      static dt global f64 time_step
//   static dt global f64 time_step   kernel clock step
//   kernel proceed step                %0 = load time
//     ...                              %1 = load dt
//     store u %7                 ->    %2 = add %0 %1
//     %8 = load time                   store time %2
//     %9 = load dt
//     %10 = add %8 %9
//     store time %10
#include "paraiso/passes/steps/extract_clock.hpp"

#include <algorithm>

#include "paraiso/om/verify/verify.hpp"
#include "paraiso/passes/steps/step_flow.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

/// The time, and the statics that its later values depend on.
StaticSet clock_statics(const Machine& machine, const Graph& graph, StaticId time,
                        const Fusion& fusion) {
  const StaticSet stored = statics_stored(graph);
  StaticSet targets = {time};
  for (std::size_t known = 0; known < targets.size();) {
    known = targets.size();
    for (StaticId id : statics_read(machine, graph, nodes_for(graph, targets)))
      if (stored.contains(id) && std::ranges::find(fusion.held, id) == fusion.held.end())
        targets.insert(id);
  }
  return targets;
}

/// The machine's Globals; `renamed` has their new ids.
Machine globals_of(const Machine& machine, std::vector<StaticId>& renamed) {
  Machine clock;
  clock.name = machine.name;
  clock.dimension = machine.dimension;
  for (const Static& s : machine.statics) {
    renamed.push_back(StaticId(clock.statics.size()));
    if (s.type.realm == Realm::global) clock.statics.push_back(s);
  }
  return clock;
}

bool is_global(const Graph& graph, const Node& node) {
  if (std::holds_alternative<Reduce>(node.instruction)) return false;
  const ValueId v = node.result_count > 0 ? node.first_result : node.operands[0];
  return graph.type(v).realm == Realm::global;
}

Instruction renamed_in(const Instruction& instruction, const std::vector<StaticId>& renamed) {
  if (const auto* load = std::get_if<Load>(&instruction))
    return Load{renamed[load->source.index], load->step};
  if (const auto* store = std::get_if<Store>(&instruction))
    return Store{renamed[store->target.index], store->step};
  return instruction;
}

}  // namespace

std::optional<Machine> extract_clock(const Machine& machine, const Fusion& fusion) {
  const Kernel* step = machine.step_kernel();
  const auto time = machine.find_role(StaticRole::time);
  if (!step || !time || !statics_stored(step->graph).contains(*time)) return std::nullopt;
  const auto nodes = nodes_for(step->graph, clock_statics(machine, step->graph, *time, fusion));
  std::vector<StaticId> statics;
  Machine clock = globals_of(machine, statics);
  Graph graph(clock.signature());
  std::vector<ValueId> values(step->graph.value_count());
  for (NodeId id : nodes) {
    const Node& node = step->graph.node(id);
    if (!is_global(step->graph, node)) return std::nullopt;
    std::vector<ValueId> operands;
    for (ValueId v : node.operands) operands.push_back(values[v.index]);
    const ValueId first = graph.add(renamed_in(node.instruction, statics), operands, node.location);
    for (int r = 0; r < node.result_count; ++r)
      values[node.first_result.index + r] = ValueId(first.index + r);
  }
  clock.kernels.push_back({"clock", KernelRole::step, std::move(graph), step->location});
  verify(clock);
  return clock;
}

}  // namespace paraiso::passes
