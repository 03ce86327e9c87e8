// repair: the nearest legal choices of one kernel. No result of a loop may need more than
// kLargestExpansion terms; where one does, the value that saves most is stored. A kernel without a
// group that can be split has overlapped tiles. Gives: is_plainly_legal, is_legal, repair_choices,
// most_saving, repairs, repair, plan_kernel. Needs: traversal.
#pragma once

#include "paraiso/plan/loops/traversal.hpp"

namespace paraiso::plan {

/// The nearest legal schedule, canonical: every gene present, unknown genes dropped.
[[nodiscard]] Schedule repair(const om::Machine& machine, const Schedule& schedule,
                              OptionTable options);
/// The same for one of the machine's kernels: its genes and no others.
[[nodiscard]] Schedule repair(const om::Machine& machine, const om::Kernel& kernel,
                              const Schedule& schedule, OptionTable options);

/// The plan of one kernel under repaired choices.
[[nodiscard]] KernelPlan plan_kernel(const om::Machine& machine, const om::Kernel& kernel,
                                     const KernelChoices& choices);

/// A quick test, ten times as fast as a repair: true means that repair changes nothing. False means
/// that only repairing can decide.
[[nodiscard]] bool is_plainly_legal(const om::Kernel& kernel, const KernelChoices& choices);

/// Whether repair_choices would change nothing.
[[nodiscard]] bool is_legal(const om::Machine& machine, const om::Kernel& kernel,
                            const KernelChoices& choices);

/// Repairs `choices` and returns the storage genes (positions in genes.storage) that became
/// `array`. Throws Error where `delayed` annotations leave nothing to store.
std::vector<std::size_t> repair_choices(const om::Machine& machine, const om::Kernel& kernel,
                                        const KernelGenes& genes, KernelChoices& choices);

/// The storage gene (its position in genes.storage) to make `array` where a body is too large: that
/// whose values are recomputed most in it; if none is, that of a value about half way, so that a
/// body that is merely long is split in two. None where nothing may be stored.
[[nodiscard]] std::optional<std::size_t> most_saving(const om::Graph& graph,
                                                     const KernelGenes& genes,
                                                     const KernelChoices& choices,
                                                     const Expansion& body);

/// The genes that repairing a schedule of these choices changes, with their new alleles.
[[nodiscard]] std::map<std::string, std::string> repairs(const om::Machine& machine,
                                                         const om::Kernel& kernel,
                                                         const KernelGenes& genes,
                                                         KernelChoices choices);

/// The same for one kernel whose gene table is known already.
[[nodiscard]] Schedule repair(const om::Machine& machine, const om::Kernel& kernel,
                              const GeneTable& table, const Schedule& schedule);

}  // namespace paraiso::plan
