// device_plan: plans for devices. Gives: device_canonical, device_schedule, device_plan,
// predict_on_device, device_loops. Needs: device_options, genome, cost_model; inside device_repair,
// make, search.
//
// A group either keeps no value: then a thread makes one cell after the other; or its blocks sweep
// along one axis and keep values on the chip (on_chip.hpp). All ghost cells are filled in memory,
// and what is reduced lies in an array.
#pragma once

#include <functional>

#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/device_options.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::plan {

/// For one kernel of a machine, from a genome to that of the nearest legal schedule.
[[nodiscard]] std::function<Genome(const Genome&)> device_canonical(const om::Machine& machine,
                                                                    std::string_view kernel);

/// Values that a thread would compute more than once lie in arrays: the same for all grids.
[[nodiscard]] Schedule device_schedule(const om::Machine& machine, const Setting& setting);

/// Repairs `schedule`, in which what a tile of a processor keeps lies in an array, and makes it
/// concrete. `machine` must have been through passes::prepare.
[[nodiscard]] Plan device_plan(const om::Machine& machine, const Schedule& schedule);

/// Of one call of a kernel, by the bytes that its groups read and write and the memory of the
/// setting's machine.
[[nodiscard]] Prediction predict_on_device(const om::Machine& machine, const KernelPlan& kernel,
                                           const Setting& setting);

/// A group in words.
[[nodiscard]] std::string device_loops(const Group& group);

}  // namespace paraiso::plan
