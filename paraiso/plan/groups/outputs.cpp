#include "paraiso/plan/groups/outputs.hpp"

#include <algorithm>
#include <set>

#include "paraiso/passes/steps/step_flow.hpp"
#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/choices/inner_states.hpp"

namespace paraiso::plan {

using namespace om;
using passes::StepChain;

namespace {

/// Stores of another static's old array, where that static gets a new array and is renamed only
/// once.
std::vector<Renaming> find_renamings(const Graph& graph, const StepChain& chain) {
  std::vector<Renaming> renamings;
  std::set<StaticId> taken;
  const auto stored = passes::statics_stored(graph);
  for (NodeId id : graph.stores()) {
    const auto& store = std::get<Store>(graph.node(id).instruction);
    const ValueId value = graph.node(id).operands[0];
    const auto* load = graph.producer_as<Load>(value);
    if (!chain.is_last(store) || !load || chain.is_inner(value)) continue;
    if (graph.type(value).realm == Realm::global) continue;
    const StaticId target = store.target;
    if (load->source != target && stored.contains(load->source) &&
        taken.insert(load->source).second)
      renamings.push_back({target, load->source});
  }
  return renamings;
}

/// All outputs in canonical order, without their reads.
KernelOutputs list_outputs(const Graph& graph, const KernelChoices& choices) {
  KernelOutputs outputs{StepChain(graph)};
  outputs.renamings = find_renamings(graph, outputs.chain);
  outputs.of_value.assign(graph.value_count(), -1);
  for (NodeId id : canonical_order(graph)) {
    const Node& node = graph.node(id);
    for (int r = 0; r < node.result_count; ++r) {
      ValueId v(node.first_result.index + r);
      if (choices.storage[v.index] != Storage::array) continue;
      outputs.of_value[v.index] = static_cast<int>(outputs.list.size());
      outputs.list.push_back({.value = v, .stored = true});
    }
    if (std::holds_alternative<Reduce>(node.instruction))
      outputs.list.push_back({.value = node.operands[0], .reduce = id});
    const auto* store = std::get_if<Store>(&node.instruction);
    if (!store || graph.type(node.operands[0]).realm == Realm::global) continue;
    if (!outputs.chain.is_last(*store)) continue;
    if (std::ranges::find(outputs.renamings, store->target, &Renaming::target) !=
        outputs.renamings.end())
      continue;
    int known = outputs.of_value[node.operands[0].index];
    if (known < 0) {
      outputs.list.push_back({.value = node.operands[0], .targets = {store->target}});
    } else {
      outputs.list[known].targets.push_back(store->target);
    }
  }
  return outputs;
}

/// Walks from an output down to arrays and Globals, users before operands.
OutputReads find_reach(const Graph& graph, const KernelChoices& choices,
                       const KernelOutputs& outputs, const Product& made) {
  OutputReads reach;
  const auto ranked = [&](ValueId value) { return std::pair(outputs.chain.rank(value), value); };
  const Extent core(graph.dimension());
  const Offset none(graph.dimension(), 0);
  std::map<std::pair<int, ValueId>, ArrayRead, std::greater<>> pending{
      {ranked(made.value), {core, core}}};
  while (!pending.empty()) {
    auto next = pending.extract(pending.begin());
    const ValueId value = next.key().second;
    ArrayRead& read = next.mapped();
    const bool itself = made.stored && value == made.value;
    if (!itself && outputs.of_value[value.index] >= 0 && is_materialisable(graph, value)) {
      reach.arrays.emplace(value, std::move(read));
      continue;
    }
    const Node& node = graph.producer(value);
    if (std::holds_alternative<Broadcast>(node.instruction)) {
      reach.scalars.push_back(node.operands[0]);
      continue;
    }
    Offset offset = none;
    if (const auto* shift = std::get_if<Shift>(&node.instruction))
      std::ranges::transform(shift->offset, offset.begin(), std::negate<>());
    if (const auto state = choices.states.find(value); state != choices.states.end()) {
      read.box = made_box(state->second, std::move(read.box));
      read.through_state = true;
    }
    for (ValueId v : outputs.chain.operands(value)) {
      auto [entry, added] = pending.try_emplace(ranked(v));
      ArrayRead& operand = entry->second;
      if (added) operand = {core, core};
      operand.box.include(read.box, offset);
      operand.reach.include(read.reach, offset);
      operand.through_state |= read.through_state;
    }
  }
  return reach;
}

/// Consumers come after producers, so one walk backwards finds how wide each box must be, where it
/// is at least so wide.
void find_boxes(KernelOutputs& outputs, int dimension, const std::vector<Extent>& least) {
  for (std::size_t i = 0; i < outputs.list.size(); ++i) {
    outputs.list[i].box = least[i];
    outputs.list[i].halo = Extent(dimension);
  }
  for (auto made = outputs.list.rbegin(); made != outputs.list.rend(); ++made) {
    if (outputs.chain.is_inner(made->value) && made->stored) std::swap(made->halo, made->box);
    for (const auto& [value, read] : made->reach.arrays) {
      Extent& box = outputs.list[outputs.of_value[value.index]].box;
      for (int a = 0; a < dimension; ++a) {
        box.lower[a] = std::max(box.lower[a], made->box.lower[a] + read.box.lower[a]);
        box.upper[a] = std::max(box.upper[a], made->box.upper[a] + read.box.upper[a]);
      }
    }
  }
}

class Leveller {
 public:
  Leveller(const Graph& graph, const KernelChoices& choices, KernelOutputs& outputs)
      : graph_(graph), choices_(choices), outputs_(outputs) {}

  void run() {
    outputs_.ready.assign(graph_.value_count(), 0);
    for (Product& made : outputs_.list) made.level = 0;
    std::size_t next = 0;
    for (NodeId id : canonical_order(graph_)) {
      while (next < outputs_.list.size() && node_of(outputs_.list[next]) == id)
        find_level(outputs_.list[next++]);
      find_ready(id);
    }
    group();
  }

 private:
  /// The node at which something entered the list.
  [[nodiscard]] NodeId node_of(const Product& made) const {
    if (made.reduce) return *made.reduce;
    if (made.stored) return graph_.value(made.value).producer;
    for (NodeId id : graph_.stores()) {
      const auto& store = std::get<Store>(graph_.node(id).instruction);
      if (outputs_.chain.is_last(store) && store.target == made.targets[0]) return id;
    }
    return {};
  }

  void find_level(Product& made) {
    for (ValueId scalar : made.reach.scalars)
      made.level = std::max(made.level, outputs_.ready[scalar.index]);
    for (const auto& [value, read] : made.reach.arrays) {
      const Product& producer = outputs_.list[outputs_.of_value[value.index]];
      const bool itself = read.reach.is_core() && (made.box.is_core() || !read.through_state);
      const bool together = itself && producer.box == made.box && !alone(producer) && !alone(made);
      made.level = std::max(made.level, producer.level + (together ? 0 : 1));
    }
    if (made.stored) wait_for_boundary(made);
    if (made.reduce) outputs_.ready[graph_.node(*made.reduce).first_result.index] = made.level + 1;
  }

  /// The boundary of an inner state is computed after the groups of its level.
  void wait_for_boundary(Product& made) {
    const auto state = choices_.states.find(made.value);
    if (state == choices_.states.end()) return;
    for (const auto& [id, value] : state->second.beside) {
      if (graph_.type(value).realm == Realm::global)
        made.level = std::max(made.level, outputs_.ready[value.index]);
      else if (const int kept = outputs_.of_value[value.index]; kept >= 0)
        made.level = std::max(made.level, outputs_.list[kept].level);
    }
  }

  void find_ready(NodeId id) {
    const Node& node = graph_.node(id);
    if (std::holds_alternative<Reduce>(node.instruction) || node.result_count == 0) return;
    if (graph_.type(node.first_result).is_local()) return;
    int ready = 0;
    for (ValueId v : outputs_.chain.operands(node.first_result))
      ready = std::max(ready, outputs_.ready[v.index]);
    for (int r = 0; r < node.result_count; ++r) outputs_.ready[node.first_result.index + r] = ready;
  }

  [[nodiscard]] bool alone(const Product& made) const {
    return choices_.apart || (made.stored && choices_.cut[made.value.index]);
  }

  /// Outputs of one level and one box share a group, unless one must be alone.
  void group() {
    outputs_.groups.clear();
    std::map<std::tuple<int, Extent, int>, std::vector<int>> members;
    for (int i = 0; i < static_cast<int>(outputs_.list.size()); ++i) {
      const Product& made = outputs_.list[i];
      members[{made.level, made.box, alone(made) ? i + 1 : 0}].push_back(i);
    }
    for (auto& [key, list] : members) outputs_.groups.push_back(std::move(list));
  }

  const Graph& graph_;
  const KernelChoices& choices_;
  KernelOutputs& outputs_;
};

/// Widens boxes until the arrays of each level that only this kernel reads have a common one. What
/// these read is then needed on wider boxes, too, which changes levels: so a few times.
void share_boxes(const Graph& graph, const KernelChoices& choices, KernelOutputs& outputs) {
  constexpr int kTurns = 4;
  const auto may_be_wider = [&](const Product& made) {
    return made.stored && made.targets.empty() && !made.reduce && !choices.cut[made.value.index] &&
           !outputs.chain.is_inner(made.value);
  };
  std::vector<Extent> least(outputs.list.size(), Extent(graph.dimension()));
  for (int turn = 0; turn < kTurns; ++turn) {
    std::map<int, Extent> boxes;
    for (const Product& made : outputs.list)
      if (may_be_wider(made))
        boxes.try_emplace(made.level, graph.dimension()).first->second.include(made.box);
    bool changed = false;
    for (std::size_t i = 0; i < outputs.list.size(); ++i) {
      const Product& made = outputs.list[i];
      if (!may_be_wider(made)) continue;
      least[i] = boxes.at(made.level);
      changed |= least[i] != made.box;
    }
    if (!changed) return;
    find_boxes(outputs, graph.dimension(), least);
    Leveller(graph, choices, outputs).run();
  }
}

}  // namespace

KernelOutputs find_outputs(const Graph& graph, const KernelChoices& choices) {
  KernelOutputs outputs = list_outputs(graph, choices);
  for (Product& made : outputs.list) {
    made.reach = find_reach(graph, choices, outputs, made);
    std::ranges::sort(made.reach.scalars);
  }
  find_boxes(outputs, graph.dimension(), {outputs.list.size(), Extent(graph.dimension())});
  Leveller(graph, choices, outputs).run();
  if (choices.common && !choices.apart) share_boxes(graph, choices, outputs);
  return outputs;
}

}  // namespace paraiso::plan
