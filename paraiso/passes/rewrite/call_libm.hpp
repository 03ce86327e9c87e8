// call_libm: see call_libm.cpp for the program before and after.
// Gives: call_libm. Needs: Machine.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

[[nodiscard]] om::Machine call_libm(const om::Machine& machine);

}  // namespace paraiso::passes
