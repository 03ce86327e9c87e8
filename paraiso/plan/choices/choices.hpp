// choices: a kernel's schedule read as values: where each is kept, how its loops run.
// Gives: InnerState, Choices, choices_of, is_materialisable. Needs: genes, plan.
#pragma once

#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {

/// A state between fused steps: what there is beside its storage.
struct InnerState {
  // Along each axis: whether cells beyond the core are filled from those within; else they are
  // computed.
  std::vector<bool> filled;
  // By now, what the statics that its boundary kernels read hold, where that is not what they hold
  // at entry.
  std::map<om::StaticId, om::ValueId> beside = {};
};

/// A kernel's choices, read out of a Schedule.
struct Choices {
  std::vector<Storage> storage;    // per value
  std::vector<bool> cut;           // per value: its group has no other array
  bool apart = false;              // no group has more than one array
  bool gather_divides = false;     // values that divide share a loop, ahead of their readers'
  bool split = false;              // groups are split where they can be
  std::vector<int> sweep;          // as Group::sweep
  std::vector<std::int64_t> tile;  // as Group::tile
  int vectors = 1, jam = 1;
  bool streaming = false, prefetch = false;
  std::map<om::ValueId, InnerState> states = {};
};
[[nodiscard]] Choices choices_of(const om::Machine& machine, const om::Kernel& kernel,
                                 const KernelGenes& genes, const Schedule& schedule);

/// Whether loops read a value from where it is kept: results of Arith, and states between fused
/// steps. All else is read, or computed, in place.
[[nodiscard]] bool is_materialisable(const om::Graph& graph, om::ValueId value);

}  // namespace paraiso::plan
