// step_chain: how a kernel's values depend on each other across its steps.
// Gives: last_step, StepChain. Needs: om.
//
//   store u @0 %4
//   %5 = load u @1     # an inner Load: it reads %4, and beyond the core u's boundary
#pragma once

#include <map>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

/// The number of a kernel's last step; 0 for a kernel of one step.
[[nodiscard]] int last_step(const om::Graph& graph);

class StepChain {
 public:
  explicit StepChain(const om::Graph& graph);

  /// Whether a value is a Load at a step above 0.
  [[nodiscard]] bool is_inner(om::ValueId value) const { return read_[value.index].valid(); }
  /// As Node::operands; for an inner Load, the value that it reads.
  [[nodiscard]] std::span<const om::ValueId> operands(om::ValueId value) const;
  /// The value that a static holds just before `step`; none if that is its value at entry.
  [[nodiscard]] std::optional<om::ValueId> latest(om::StaticId id, int step) const;
  /// Whether a Store's value is what the kernel leaves behind.
  [[nodiscard]] bool is_last(const om::Store& store) const { return store.step == last_step_; }
  /// A number higher than the rank of every value that this live value depends on.
  [[nodiscard]] int rank(om::ValueId value) const { return rank_[value.index]; }
  /// Per value, what an inner Load reads; not valid for other values.
  [[nodiscard]] const std::vector<om::ValueId>& read() const { return read_; }

 private:
  const om::Graph& graph_;
  std::map<std::pair<om::StaticId, int>, om::ValueId> stored_;
  std::vector<om::ValueId> read_;
  std::vector<int> rank_;
  int last_step_;
};

}  // namespace paraiso::passes
