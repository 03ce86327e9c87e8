// make_plan: from a schedule to the plan that will run. Gives: make_plan. Needs: plan; inside
// repair.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Repairs `schedule` and makes it concrete. `machine` must have been through passes::prepare.
[[nodiscard]] Plan make_plan(const om::Machine& machine, const Schedule& schedule);

}  // namespace paraiso::plan
