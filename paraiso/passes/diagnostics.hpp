// diagnostics: kernels that tell of a state and leave it as it is.
// Gives: diagnostics. Needs: Machine.
#pragma once

#include <vector>

#include "paraiso/om/machine.hpp"

namespace paraiso::passes {

/// The plain kernels that store Globals alone, ones without a role that no kernel loads: a total,
/// an error. They may be run at any time; what comes after has the same bits.
[[nodiscard]] std::vector<const om::Kernel*> diagnostics(const om::Machine& machine);

}  // namespace paraiso::passes
