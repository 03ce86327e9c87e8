// join_steps: a later step reads values of the one before it, where that takes no boundary.
// Gives: join_steps. Needs: om.
#pragma once

#include "paraiso/om/machine.hpp"

namespace paraiso::passes {

/// See join_steps.cpp for the program before and after. Changes no value that is stored last.
[[nodiscard]] om::Machine join_steps(const om::Machine& machine);

}  // namespace paraiso::passes
