// remove_dead: see remove_dead.cpp for the program before and after.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

[[nodiscard]] om::Machine remove_dead(const om::Machine& machine);

}  // namespace paraiso::passes
