// LadderTimes: the times of all versions of a kernel on grids of some sizes.
// Gives: time_versions. Needs: versioned_code, tune/versions.
#pragma once

#include "cli/execution/versioned_code.hpp"
#include "paraiso/tune/versions/ladder.hpp"
#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::cli {

/// Seconds of a call of each version, the least of some rounds in which versions take turns, in one
/// solver's memory. `tell(done)` after each size.
[[nodiscard]] tune::VersionTimes time_versions(Prepared& prepared, const runtime::Library& library,
                                               const tune::GuardTree& guards,
                                               const std::vector<tune::LadderSize>& sizes,
                                               int rounds,
                                               const std::function<void(std::size_t)>& tell);

}  // namespace paraiso::cli
