// contract: see contract.cpp for the program before and after.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

[[nodiscard]] om::Machine contract(const om::Machine& machine);

}  // namespace paraiso::passes
