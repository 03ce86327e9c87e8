// Ladder: grids of one shape from a few cells to many, and the times of all versions on them.
// Gives: ladder, shapes, time_versions. Needs: versioned_code, tune/thresholds.
#pragma once

#include "cli/versioned_code.hpp"
#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::cli {

/// `count` sizes of the shape of `largest`, each of half the cells of the one before it, the
/// smallest first, the largest of which has `fraction` of its cells.
[[nodiscard]] std::vector<std::vector<std::int64_t>> ladder(
    const std::vector<std::int64_t>& largest, int count, double fraction);

/// `count` grids of as many cells as `longest`, which has two axes or more: each has rows of twice
/// the length of the one before it, and half as many along the last axis. `halvings` shortens the
/// rows of all of them.
[[nodiscard]] std::vector<std::vector<std::int64_t>> shapes(
    const std::vector<std::int64_t>& longest, int count, double halvings);

/// Seconds of a call of each version, the least of some rounds in which versions take turns, in one
/// solver's memory. `tell(done)` after each size.
[[nodiscard]] tune::VersionTimes time_versions(Prepared& prepared, const runtime::Library& library,
                                               const tune::GuardTree& guards,
                                               const std::vector<std::vector<std::int64_t>>& sizes,
                                               int rounds, const std::function<void(int)>& tell);

}  // namespace paraiso::cli
