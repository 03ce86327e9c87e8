// What an author forgot whose time stands still in every run.
// Gives: what_is_never_stored. Needs: om.
#pragma once

#include <string>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::runtime {

/// Which kernel never stores the time or, if a run began with `initial`, its first step; empty if
/// that is not the reason.
[[nodiscard]] std::string what_is_never_stored(const om::Machine& machine,
                                               const om::Kernel* initial);

}  // namespace paraiso::runtime
