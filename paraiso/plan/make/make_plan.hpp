// make_plan: from a schedule to the plan that any kind of machine starts from. Gives: make_plan.
// Needs: plan; inside repair.
#pragma once

#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/schedule/kernel_options.hpp"

namespace paraiso::plan {

/// Repairs `schedule`, whose genes are those of the options, and makes it concrete. What only one
/// kind of machine has is added after: for a processor by cpu_plan (cpu/cpu_plan.hpp). `machine`
/// must have been through passes::prepare.
[[nodiscard]] Plan make_plan(const om::Machine& machine, const Schedule& schedule,
                             OptionTable options, ChoicesReader read = choices_of);

}  // namespace paraiso::plan
