// repair: the nearest legal choices of one kernel. No value that a loop makes may need more than
// kLargestExpansion terms; where one does, the value that saves most is stored. A kernel of which
// no group can be split has overlapped tiles. Gives: is_plainly_legal, is_legal, repair_choices,
// repairs, repair, plan_kernel. Needs: traversal.
#pragma once

#include "paraiso/plan/loops/traversal.hpp"

namespace paraiso::plan {

/// The nearest legal schedule, canonical: every gene present, unknown genes dropped.
[[nodiscard]] Schedule repair(const om::Machine& machine, const Schedule& schedule);
/// Of one of the machine's kernels alone: its genes and no others.
[[nodiscard]] Schedule repair(const om::Machine& machine, const om::Kernel& kernel,
                              const Schedule& schedule);

/// One kernel's plan under choices that repair has seen.
[[nodiscard]] KernelPlan plan_kernel(const om::Machine& machine, const om::Kernel& kernel,
                                     const Choices& choices);

/// Whether it is plain that a schedule of these choices stays as it is. Mostly it does, and this is
/// told ten times as fast as by repairing it.
[[nodiscard]] bool is_plainly_legal(const om::Kernel& kernel, const Choices& choices);

/// Whether repair_choices would find nothing to mend.
[[nodiscard]] bool is_legal(const om::Machine& machine, const om::Kernel& kernel,
                            const Choices& choices);

/// Mends `choices` and returns the storage genes (positions in genes.storage) that became `array`.
/// Throws Error where `delayed` annotations leave nothing to store.
std::vector<std::size_t> repair_choices(const om::Machine& machine, const om::Kernel& kernel,
                                        const KernelGenes& genes, Choices& choices);

/// The genes that repairing a schedule of those choices changes, and to what.
[[nodiscard]] std::map<std::string, std::string> repairs(const om::Machine& machine,
                                                         const om::Kernel& kernel,
                                                         const KernelGenes& genes, Choices choices);

/// The same of one kernel's schedules, whose table is at hand.
[[nodiscard]] Schedule repair(const om::Machine& machine, const om::Kernel& kernel,
                              const GeneTable& table, const Schedule& schedule);

}  // namespace paraiso::plan
