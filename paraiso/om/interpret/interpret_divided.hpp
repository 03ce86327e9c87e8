// interpret_divided: what a divided machine computes: the same as the whole one, bit for bit.
// Gives: DividedState, interpret_divided. Needs: interpret, Orthotree, distribute,
// PartialReduction.
//
// Each leaf has its own cells and what it was sent, and nothing else; it reads no other memory. The
// reference for machines that are divided among processes, slow and simple on purpose.
#pragma once

#include "paraiso/om/interpret/leaf_memory.hpp"

namespace paraiso::om {

/// A machine's memory, divided.
class DividedState {
 public:
  /// Divides `whole` among the leaves of `tree`, below the Warps that the machine's cyclic axes
  /// need. `machine` must live as long. Throws Error if the tree can't divide that size.
  DividedState(const Machine& machine, const Orthotree& tree, const State& whole,
               Flaw flaw = Flaw::none);
  DividedState(const DividedState&) = delete;  // leaves refer to it
  DividedState& operator=(const DividedState&) = delete;

  /// Runs one kernel as a transaction.
  void run(const Kernel& kernel);
  /// Goes over to another division.
  void redivide(const Orthotree& tree);
  /// The whole state. Throws std::logic_error where leaves differ in a Global.
  [[nodiscard]] State gather() const;

  /// Of the last run: what was sent, and what reductions took from the leaves.
  struct Sent {
    std::size_t messages = 0, cells = 0, numbers = 0;
  };
  [[nodiscard]] const Sent& sent() const { return sent_; }

 private:
  void exchange(const Reads& reads, int step);
  [[nodiscard]] Constant reduce(const Reduce& reduce, std::span<const Values* const> operands);
  void make_leaves(const Orthotree& tree);

  const Machine& machine_;
  Orthotree tree_;
  Cell size_;
  Flaw flaw_;
  std::vector<LeafMemory> leaves_;
  std::vector<Reads> boundary_reads_;  // by BoundaryKernelId
  Sent sent_;
};

/// Runs one kernel on the leaves of `tree`.
void interpret_divided(const Machine& machine, const Kernel& kernel, const Orthotree& tree,
                       State& state);

}  // namespace paraiso::om
