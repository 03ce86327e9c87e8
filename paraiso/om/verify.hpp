// The verifier: the rules that a machine obeys, one a line, checked after every pass in every build.
// Gives: verify, rules. Needs: Machine.
#pragma once

#include "paraiso/om/machine.hpp"

namespace paraiso::om {

/// Throws Error (the user's line, names, what was expected) for the first rule broken.
void verify(const Machine& machine);

}  // namespace paraiso::om
