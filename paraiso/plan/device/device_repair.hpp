// device_repair: the nearest schedule that a device can run. Gives: kMostSharedBytes,
// device_choices, device_repaired, set_device_groups. Needs: choices, on_chip, body_bound; inside
// repair.
//
// A block sweeps along one axis. It keeps values in at most three dimensions, and no states between
// fused steps, whose ghost cells are filled in arrays. Where what it keeps exceeds its memory, or
// what surrounds a tile leaves too little of the block, values become arrays, the largest first.
#pragma once

#include "paraiso/plan/choices/choices.hpp"

namespace paraiso::plan {

inline constexpr std::size_t kMostSharedBytes = 48 * 1024;  // of a block; any device has as much

/// choices_of, with one axis to sweep.
[[nodiscard]] KernelChoices device_choices(const om::Machine& machine, const om::Kernel& kernel,
                                           const KernelGenes& genes, const Schedule& schedule);

[[nodiscard]] Schedule device_repaired(const om::Machine& machine, const om::Kernel& kernel,
                                       const GeneTable& table, Schedule schedule);
[[nodiscard]] Schedule device_repaired(const om::Machine& machine, const Schedule& schedule);

/// Sets Group::device.
void set_device_groups(std::vector<Group>& groups, const DeviceOptions& options, int dimension);

}  // namespace paraiso::plan
