// step_chain: how a kernel's values follow from each other across its steps.
// Gives: last_step, StepChain. Needs: om.
//
//   store u @0 %4
//   %5 = load u @1     # an inner Load: it reads %4, and beyond the core u's boundary
#pragma once

#include <map>

#include "paraiso/om/machine.hpp"

namespace paraiso::passes {

/// The number of a kernel's last step: 0 where it has one.
[[nodiscard]] int last_step(const om::Graph& graph);

class StepChain {
 public:
  explicit StepChain(const om::Graph& graph);

  /// Whether a value is a Load at a step above 0.
  [[nodiscard]] bool is_inner(om::ValueId value) const { return read_[value.index].valid(); }
  /// As Node::operands; of an inner Load the value that it reads.
  [[nodiscard]] std::span<const om::ValueId> operands(om::ValueId value) const;
  /// What a static holds just before `step`; nothing: what it holds at entry.
  [[nodiscard]] std::optional<om::ValueId> latest(om::StaticId id, int step) const;
  /// Whether a Store's value is what the kernel leaves behind.
  [[nodiscard]] bool is_last(const om::Store& store) const { return store.step == last_step_; }
  /// A number that is higher than those of all values that a live value follows from.
  [[nodiscard]] int rank(om::ValueId value) const { return rank_[value.index]; }
  /// Per value, what an inner Load reads; of other values it is not valid.
  [[nodiscard]] const std::vector<om::ValueId>& read() const { return read_; }

 private:
  const om::Graph& graph_;
  std::map<std::pair<om::StaticId, int>, om::ValueId> stored_;
  std::vector<om::ValueId> read_;
  std::vector<int> rank_;
  int last_step_;
};

}  // namespace paraiso::passes
