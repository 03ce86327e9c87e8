// join_steps: later steps use values of the step before directly, where no boundary lies between.
// Gives: join_steps. Needs: om.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

/// See join_steps.cpp for the program before and after. Changes nothing that the last step stores.
[[nodiscard]] om::Machine join_steps(const om::Machine& machine);

}  // namespace paraiso::passes
