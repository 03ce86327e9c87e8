// fuse_steps: n copies of the step kernel in one kernel, each reading what the one before it
// stored.
//
//   kernel proceed step              kernel proceed_2
//     %0 = load u                      %0 = load u
//     %1 = shift %0 (1)                %1 = shift %0 (1)
//     %2 = add %0 %1                   %2 = add %0 %1
//     store u %2                ->     store u %2
//     %3 = reduce sum %2               in "step1"
//     store total %3                   %3 = load u @1
//                                      %4 = shift %3 (1)
//                                      %5 = add %3 %4
//                                      store u @1 %5
//                                      %6 = reduce sum %5
//                                      store total @1 %6
//
// Inner steps store only what later steps read: the first step's sum above is dead. A static that
// no step stores (a parameter above all) is loaded once. Exception: if a boundary kernel fills its
// halo from what the steps do store, each step stores it unchanged, so that its halo is filled
// again for the next one. A value `flux.x` of step 2 is named `flux_step2.x`, its scope
// `step2/...`, so that the first step keeps its names and genes.
//
// A reduction that the next step's cells or time depend on would make the whole grid wait between
// two steps, which fusing is to avoid: it is refused, unless a Global carries it and may be held.
// Runs after `prepare`: contraction would otherwise see the products that two steps share used more
// often, and decide otherwise about them.
#include "paraiso/passes/steps/fuse_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/text.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/passes/steps/step_flow.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

constexpr std::size_t kLongestScope = 256;  // the verifier's rule `scope_text`

const Kernel& step_kernel(const Machine& machine) {
  if (const Kernel* kernel = machine.step_kernel()) return *kernel;
  throw CannotFuse(
      fmt::format("machine `{}` has no step kernel: there are no steps to fuse", machine.name));
}

void refuse_chained(const Machine& machine, const Kernel& kernel) {
  for (NodeId id : kernel.graph.stores()) {
    const Node& node = kernel.graph.node(id);
    const auto& store = std::get<Store>(node.instruction);
    if (store.step > 0)
      throw CannotFuse(Error(node.location,
                             fmt::format("steps of `{}` can't be fused: it is chained already, "
                                         "and stores `{}` at step {}",
                                         kernel.name, machine.at(store.target).name, store.step)));
  }
}

/// Throws if cells that an inner step stores depend on a reduction of the same step; in the last
/// step they may.
void refuse_waiting(const Machine& machine, const Kernel& kernel, const StaticSet& held) {
  const auto all = nodes_for(kernel.graph, statics_stored(kernel.graph));
  StaticSet inner = statics_read(machine, kernel.graph, all);
  for (StaticId id : held) inner.erase(id);
  if (const auto found = reduction_within(kernel.graph, inner))
    throw CannotFuse(
        Error(found->reduce, fmt::format("steps of `{}` can't be fused: the cells of a step wait "
                                         "for this reduction over all of them",
                                         kernel.name))
            .with_note(found->broadcast, "it is used here"));
}

[[noreturn]] void refuse(const Machine& machine, const Kernel& kernel, const ReducedStatic& found,
                         int steps) {
  const Static& target = machine.at(found.target);
  if (target.role == StaticRole::time)
    throw CannotFuse(
        Error(found.reduce, fmt::format("steps of `{}` can't be fused: the time `{}` follows from "
                                        "this reduction within the step",
                                        kernel.name, target.name))
            .with_note(found.read, fmt::format("`{}` is stored here", target.name)));
  throw CannotFuse(
      Error(found.reduce,
            fmt::format("steps of `{}` can't be fused: `{}` follows from this reduction, and the "
                        "next step reads it",
                        kernel.name, target.name))
          .with_note(found.read, fmt::format("`{}` is read here", target.name))
          .with_hint(fmt::format("`--hold-time-step` keeps `{}` as it is for {} steps", target.name,
                                 steps)));
}

/// The Globals to hold; throws where one may not be.
StaticSet held_statics(const Machine& machine, const Kernel& kernel, int steps, bool hold) {
  StaticSet held;
  for (const ReducedStatic& found : reductions_ahead(machine, kernel)) {
    if (!hold || machine.at(found.target).role == StaticRole::time)
      refuse(machine, kernel, found, steps);
    held.insert(found.target);
  }
  return held;
}

/// `flux.x` -> `flux_step2.x`; empty if that is not a valid name: the value then has none.
std::string name_of_step(const std::string& name, int step) {
  if (name.empty() || step == 0) return name;
  const auto end = std::min(name.find('.'), name.size());
  const auto later = fmt::format("{}_step{}{}", name.substr(0, end), step, name.substr(end));
  return is_dotted_name(later) ? later : std::string();
}

std::string scope_of_step(const std::string& scope, int step) {
  if (step == 0) return scope;
  const auto later = fmt::format("step{}{}{}", step, scope.empty() ? "" : "/", scope);
  return later.size() <= kLongestScope ? later : fmt::format("step{}", step);
}

/// Builds the fused graph, step by step.
class Chain {
 public:
  Chain(const Machine& machine, const Graph& graph, int steps, const StaticSet& held)
      : machine_(machine),
        before_(graph),
        after_(graph.signature_pointer()),
        chained_(statics_stored(graph)),
        targets_(steps, StaticSet()) {
    targets_.back() = chained_;
    for (StaticId id : held) chained_.erase(id);
    carried_ = find_carried();
    chained_.insert(carried_.begin(), carried_.end());
    find_targets();
  }

  Graph run() {
    for (int step = 0; step < static_cast<int>(targets_.size()); ++step) copy(step);
    return std::move(after_);
  }

 private:
  /// The statics that the kernel reads and does not store, but whose halo is filled from what it
  /// stores.
  [[nodiscard]] StaticSet find_carried() const {
    StaticSet carried;
    for (NodeId id : nodes_for(before_, targets_.back())) {
      const auto* load = std::get_if<Load>(&before_.node(id).instruction);
      if (!load || chained_.contains(load->source)) continue;
      const auto read = statics_read(machine_, before_, std::span(&id, 1));
      if (std::ranges::any_of(read, [&](StaticId other) { return chained_.contains(other); }))
        carried.insert(load->source);
    }
    return carried;
  }

  /// From the last step, which stores everything, back: a step stores what the next one reads.
  void find_targets() {
    for (std::size_t step = targets_.size() - 1; step-- > 0;) {
      const auto next = nodes_for(before_, targets_[step + 1]);
      for (StaticId id : statics_read(machine_, before_, next))
        if (chained_.contains(id)) targets_[step].insert(id);
    }
    // A static that one step carries over is carried over by all.
    for (auto& targets : targets_) targets.insert(carried_.begin(), carried_.end());
  }

  void copy(int step) {
    std::vector<ValueId> renamed(before_.value_count());
    for (NodeId id : nodes_for(before_, targets_[step])) copy_node(before_.node(id), step, renamed);
    for (StaticId id : carried_) {
      const Location location = machine_.at(id).location;
      const ValueId value = after_.add(Load{id, step}, {}, location, scope_of_step("", step));
      after_.add(Store{id, step}, {value}, location);
    }
  }

  void copy_node(const Node& node, int step, std::vector<ValueId>& renamed) {
    std::vector<ValueId> operands;
    for (ValueId v : node.operands) operands.push_back(renamed[v.index]);
    const std::string scope =
        node.result_count > 0 ? scope_of_step(before_.scope(node.first_result), step) : "";
    const ValueId first =
        after_.add(at_step(node.instruction, step), operands, node.location, scope);
    for (int r = 0; r < node.result_count; ++r) {
      const ValueId from(node.first_result.index + r), to(first.index + r);
      renamed[from.index] = to;
      after_.settle(to, before_.value(from).annotation);
      const auto name = name_of_step(before_.name(from), step);
      if (!name.empty()) after_.set_name(to, name);
    }
  }

  [[nodiscard]] Instruction at_step(const Instruction& instruction, int step) const {
    if (const auto* load = std::get_if<Load>(&instruction))
      return Load{load->source, chained_.contains(load->source) ? step : 0};
    if (const auto* store = std::get_if<Store>(&instruction)) return Store{store->target, step};
    return instruction;
  }

  const Machine& machine_;
  const Graph& before_;
  Graph after_;
  StaticSet chained_;               // statics that a step reads as the step before stored them
  StaticSet carried_;               // of these, the ones that the step kernel does not store
  std::vector<StaticSet> targets_;  // per step: what it stores
};

/// `proceed_4`, or where that is taken `proceed_4_2`, ...
std::string name_of_fused(const Machine& machine, const std::string& step_kernel, int steps) {
  constexpr std::size_t kRoom = 48;  // of the 64 allowed; the rest is for the numbers
  std::string stem = step_kernel.substr(0, kRoom);
  while (stem.size() > 1 && stem.back() == '_') stem.pop_back();
  const auto name = fmt::format("{}{}{}", stem, stem.back() == '_' ? "" : "_", steps);
  std::string free = name;
  for (int i = 2; machine.find_kernel(free); ++i) free = fmt::format("{}_{}", name, i);
  return free;
}

}  // namespace

Fused fuse_steps(const Machine& machine, int steps, bool hold_time_step) {
  if (steps < 2 || steps > kLargestStep + 1)
    throw Error(fmt::format("{} steps can't be fused: expected 2 to {}", steps, kLargestStep + 1));
  const Kernel& kernel = step_kernel(machine);
  refuse_chained(machine, kernel);
  const StaticSet held = held_statics(machine, kernel, steps, hold_time_step);
  refuse_waiting(machine, kernel, held);

  Fused fused{machine, {name_of_fused(machine, kernel.name, steps), steps, {}}};
  fused.fusion.held.assign(held.begin(), held.end());
  fused.machine.kernels.push_back({fused.fusion.kernel, KernelRole::plain,
                                   Chain(machine, kernel.graph, steps, held).run(),
                                   kernel.location});
  verify(fused.machine);
  return fused;
}

Machine unfused(const Fused& fused) {
  Machine machine = fused.machine;
  std::erase_if(machine.kernels,
                [&](const Kernel& kernel) { return kernel.name == fused.fusion.kernel; });
  return machine;
}

void interpret_steps(const Machine& machine, const Fusion& fusion, State& state) {
  for (int step = 0; step < fusion.steps; ++step) {
    const State before = state;
    interpret(machine, *machine.step_kernel(), state);
    if (step + 1 == fusion.steps) break;
    for (StaticId id : fusion.held) state.arrays[id.index] = before.arrays[id.index];
  }
}

}  // namespace paraiso::passes
