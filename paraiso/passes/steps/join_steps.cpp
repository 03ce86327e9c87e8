// join_steps: a Load of a later step becomes the value that the step before stored, if the two are
// equal wherever they are read.
//
//   static u local f64                       static u local f64
//     boundary 0 cyclic cyclic                 boundary 0 cyclic cyclic
//   ...                                      ...
//     %2 = mul %0 %1                           %2 = mul %0 %1
//     store u %2                      ->
//     %3 = load u @1
//     %4 = shift %3 (1)                        %4 = shift %2 (1)
//     store u @1 %4                            store u @1 %4
//
// Within the core they are always equal; beyond it, along axes where both are periodic (see
// turning.hpp). A Load that is read beyond the core along any other axis stays; so does the Load of
// a value annotated `delayed`, because joining would recompute its steps over and over. Stores that
// no Load is left for are dropped, except those of the last step.
//
// Runs after fuse_steps. The Loads that it leaves are the states whose halos must be filled.
#include "paraiso/passes/steps/join_steps.hpp"

#include <algorithm>

#include "paraiso/passes/analysis/footprint.hpp"
#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/passes/rewrite/remove_dead.hpp"
#include "paraiso/passes/steps/step_flow.hpp"
#include "paraiso/passes/steps/turning.hpp"

namespace paraiso::passes {

using namespace om;

namespace {

class Joiner {
 public:
  Joiner(const Machine& machine, const Graph& graph)
      : machine_(machine),
        graph_(graph),
        chain_(graph),
        order_(canonical_order(graph)),
        turning_(turning_axes(machine, graph)),
        joined_(graph.value_count()) {
    find_joined();
  }

  /// The graph without the Loads that were joined and the Stores that nothing reads any more.
  Graph run() const {
    Graph after(graph_.signature_pointer());
    std::vector<ValueId> renamed(graph_.value_count());
    for (NodeId id : order_) copy(graph_.node(id), renamed, after);
    return after;
  }

 private:
  /// Whether a Load is joined depends on how far it is read, and how far the stored value is read
  /// depends on whether its Load is joined: one walk from users to operands finds both.
  void find_joined() {
    (void)footprints(graph_, [&](ValueId load, const Extent& box) -> std::optional<ValueId> {
      if (!may_join(load, box)) return std::nullopt;
      joined_[load.index] = true;
      return chain_.operands(load)[0];
    });
  }

  [[nodiscard]] bool may_join(ValueId load, const Extent& box) const {
    if (!chain_.is_inner(load)) return false;
    const ValueId stored = chain_.operands(load)[0];
    if (graph_.value(stored).annotation.storing == Storing::delayed) return false;
    for (int a = 0; a < graph_.dimension(); ++a)
      if ((box.lower[a] > 0 || box.upper[a] > 0) &&
          !(turning_[load.index][a] && turning_[stored.index][a]))
        return false;
    return true;
  }

  /// True for a Store of the last step, and for one that a later Load still reads, itself or
  /// through a boundary kernel.
  [[nodiscard]] bool is_needed(const Store& store) const {
    if (chain_.is_last(store)) return true;
    return std::ranges::any_of(order_, [&](NodeId id) {
      const Node& node = graph_.node(id);
      const auto* load = std::get_if<Load>(&node.instruction);
      if (!load || load->step <= store.step || joined_[node.first_result.index]) return false;
      return (load->source == store.target && load->step == store.step + 1) ||
             statics_of_boundary(machine_, load->source).contains(store.target);
    });
  }

  void copy(const Node& node, std::vector<ValueId>& renamed, Graph& after) const {
    const auto* store = std::get_if<Store>(&node.instruction);
    if (store && !is_needed(*store)) return;
    if (node.result_count > 0 && joined_[node.first_result.index]) {
      renamed[node.first_result.index] = renamed[chain_.operands(node.first_result)[0].index];
      return;
    }
    std::vector<ValueId> operands;
    for (ValueId v : node.operands) operands.push_back(renamed[v.index]);
    const std::string scope = node.result_count > 0 ? graph_.scope(node.first_result) : "";
    const ValueId first = after.add(node.instruction, operands, node.location, scope);
    for (int r = 0; r < node.result_count; ++r) {
      const ValueId from(node.first_result.index + r), to(first.index + r);
      renamed[from.index] = to;
      after.inherit(to, graph_, from);
    }
  }

  const Machine& machine_;
  const Graph& graph_;
  const StepChain chain_;
  const std::vector<NodeId> order_;
  const std::vector<Axes> turning_;  // per value
  std::vector<bool> joined_;         // per value
};

}  // namespace

Machine join_steps(const Machine& machine) {
  Machine after = machine;
  for (Kernel& kernel : after.kernels)
    if (last_step(kernel.graph) > 0) kernel.graph = Joiner(machine, kernel.graph).run();
  return remove_dead(after);
}

}  // namespace paraiso::passes
