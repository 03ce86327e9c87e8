// Ladder: grids of one shape from a few cells to many, and the times of all versions on them.
// Gives: Rungs, ladder, shapes, midway, time_versions. Needs: versioned_code, tune/thresholds.
#pragma once

#include "cli/versioned_code.hpp"
#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::cli {

struct Rungs {
  int count = 16;
  int a_halving = 1;     // so many rungs further down, sizes are half as large
  bool between = false;  // each half a rung further down
};

/// Sizes of the shape of `largest`, with fewer and fewer cells, the smallest first.
[[nodiscard]] std::vector<std::vector<std::int64_t>> ladder(
    const std::vector<std::int64_t>& largest, const Rungs& rungs);

/// Grids of as many cells as `longest`, which has two axes or more, with shorter and shorter rows
/// and more of them along the last axis; those with the shortest rows first.
[[nodiscard]] std::vector<std::vector<std::int64_t>> shapes(
    const std::vector<std::int64_t>& longest, const Rungs& rungs);

/// The size between two, by the geometric mean of each length; none where it is one of them.
[[nodiscard]] std::optional<std::vector<std::int64_t>> midway(
    const std::vector<std::int64_t>& below, const std::vector<std::int64_t>& above);

/// Seconds of a call of each version, the least of some rounds in which versions take turns, in one
/// solver's memory. `tell(done)` after each size.
[[nodiscard]] tune::VersionTimes time_versions(Prepared& prepared, const runtime::Library& library,
                                               const tune::GuardTree& guards,
                                               const std::vector<std::vector<std::int64_t>>& sizes,
                                               int rounds, const std::function<void(int)>& tell);

}  // namespace paraiso::cli
