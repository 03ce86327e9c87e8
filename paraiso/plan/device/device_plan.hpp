// device_plan: plans for devices. Gives: device_canonical, device_kernel_plan, device_plan,
// device_loops. Needs: device_options, genome; inside device_repair, make.
//
// A group either keeps no value: then a thread makes one cell after the other; or its blocks sweep
// along one axis and keep values on the chip (on_chip.hpp). Ghost cells are filled in memory, or
// found where they are read (found_ghosts.hpp), or stored with the cells that they repeat
// (stored_ghosts.hpp); what is reduced lies in an array, or is reduced by
// the blocks that make it (fused_sums.hpp).
#pragma once

#include <functional>

#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/device_options.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::plan {

/// For one kernel of a machine, from a genome to that of the nearest legal schedule.
[[nodiscard]] std::function<Genome(const Genome&)> device_canonical(const om::Machine& machine,
                                                                    std::string_view kernel);

/// The plan of one kernel under repaired choices, and the schedule that they are read from.
[[nodiscard]] KernelPlan device_kernel_plan(const om::Machine& machine, const om::Kernel& kernel,
                                            const KernelChoices& choices, const Schedule& schedule);

/// Repairs `schedule`, in which what a tile of a processor keeps lies in an array, and makes it
/// concrete. `machine` must have been through passes::prepare.
[[nodiscard]] Plan device_plan(const om::Machine& machine, const Schedule& schedule);

/// A group in words.
[[nodiscard]] std::string device_loops(const Group& group);

}  // namespace paraiso::plan
