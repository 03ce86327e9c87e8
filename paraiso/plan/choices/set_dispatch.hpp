// set_dispatch: a plan gets its versions, each of which then knows the tiles of its own loops and
// what its blocks ask of a device.
// Gives: set_dispatch. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

void set_dispatch(Plan& plan, std::optional<Dispatch> dispatch);

}  // namespace paraiso::plan
