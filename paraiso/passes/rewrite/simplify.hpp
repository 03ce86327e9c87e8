// simplify: see simplify.cpp for the program before and after.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

[[nodiscard]] om::Machine simplify(const om::Machine& machine);

}  // namespace paraiso::passes
