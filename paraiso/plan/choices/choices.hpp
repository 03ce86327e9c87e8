// choices: the schedule of a kernel as values: where results are stored, how loops run.
// Gives: InnerState, KernelChoices, choices_of, ChoicesReader, is_materialisable. Needs: genes,
// plan.
#pragma once

#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {

/// A state between fused steps: what is known about it besides its storage.
struct InnerState {
  // Along each axis: whether its ghost cells are filled from core cells; otherwise they are
  // computed.
  std::vector<bool> filled;
  // Current values of the statics read by its boundary kernels, where they differ from kernel
  // entry.
  std::map<om::StaticId, om::ValueId> beside = {};
};

/// A kernel's choices, read out of a Schedule.
struct KernelChoices : KernelOptions {
  std::vector<Storage> storage;  // per value
  std::vector<bool> cut;         // per value: its group has no other array
  std::map<om::ValueId, InnerState> states = {};
};
[[nodiscard]] KernelChoices choices_of(const om::Machine& machine, const om::Kernel& kernel,
                                       const KernelGenes& genes, const Schedule& schedule);
/// That, or what a kind of machine makes of it.
using ChoicesReader = KernelChoices (*)(const om::Machine&, const om::Kernel&, const KernelGenes&,
                                        const Schedule&);

/// Whether a value can be stored and read back by loops: results of Arith, and states between fused
/// steps. Any other value is read, or computed, in place.
[[nodiscard]] bool is_materialisable(const om::Graph& graph, om::ValueId value);

}  // namespace paraiso::plan
