// device_repair: the nearest schedule that a device can run. Gives: swept_axis, device_choices,
// device_repaired, fits_block, set_device_groups. Needs: choices, on_chip, body_bound; inside
// repair.
//
// A block sweeps along one axis. It keeps values in at most four dimensions, and states between
// fused steps in two to four, where their sides repeat or mirror cells. Where what it keeps exceeds
// its memory, or what surrounds a tile leaves too little of the block, values become arrays, the
// largest first; in four dimensions so do those that are read beside the one cell that a block has
// along the fourth axis, and a block sweeps all planes, since its launch has no further axis.
#pragma once

#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/device/thread/body_bound.hpp"

namespace paraiso::plan {

/// The axis that blocks sweep along; none in one dimension.
[[nodiscard]] std::vector<int> swept_axis(const om::Kernel& kernel, const Schedule& schedule);

/// choices_of, with one axis to sweep.
[[nodiscard]] KernelChoices device_choices(const om::Machine& machine, const om::Kernel& kernel,
                                           const KernelGenes& genes, const Schedule& schedule);

/// `registers`: that bodies may take for values.
[[nodiscard]] Schedule device_repaired(const om::Machine& machine, const om::Kernel& kernel,
                                       const GeneTable& table, Schedule schedule,
                                       int registers = kMostRegisters);
[[nodiscard]] Schedule device_repaired(const om::Machine& machine, const Schedule& schedule);

/// Whether a block has room for what the group keeps.
[[nodiscard]] bool fits_block(const om::Graph& graph, const Group& group);

/// Sets Group::device, the sweep of groups that march, and the loops that fetch what others read.
void set_device_groups(const om::Graph& graph, std::vector<Group>& groups,
                       const DeviceOptions& options, const std::vector<int>& sweep);

}  // namespace paraiso::plan
