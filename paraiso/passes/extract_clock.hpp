// extract_clock: see extract_clock.cpp for the program before and after.
#pragma once

#include <optional>

#include "paraiso/passes/fuse_steps.hpp"

namespace paraiso::passes {

/// The times of a machine's steps, without its cells: a machine of its Globals alone, in their
/// order, whose step kernel stores the time and what the time of later steps follows from. Of a
/// fused machine, what is held stays as it is. Nothing where the time has no role or is not stored,
/// or cells have a say in it.
[[nodiscard]] std::optional<om::Machine> extract_clock(const om::Machine& machine,
                                                       const Fusion& fusion);

}  // namespace paraiso::passes
