// extract_clock: see extract_clock.cpp for the program before and after.
#pragma once

#include <optional>

#include "paraiso/passes/steps/fuse_steps.hpp"

namespace paraiso::passes {

/// Computes the times of `machine`'s steps without its cells: a machine of its Globals alone, in
/// their order, whose step kernel stores the time and all that later times depend on. For a fused
/// machine, held Globals keep their values. None if no static has the role time, if the step kernel
/// does not store it, or if it depends on cells.
[[nodiscard]] std::optional<om::Machine> extract_clock(const om::Machine& machine,
                                                       const Fusion& fusion);

}  // namespace paraiso::passes
