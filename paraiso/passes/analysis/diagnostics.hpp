// diagnostics: kernels that report on a state and leave it unchanged.
// Gives: diagnostics. Needs: Machine.
#pragma once

#include <vector>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

/// The plain kernels that store only statics without a role that no kernel loads: a total, an
/// error, or a field that no step stores. Running one changes no bit of later results.
[[nodiscard]] std::vector<const om::Kernel*> diagnostics(const om::Machine& machine);

}  // namespace paraiso::passes
