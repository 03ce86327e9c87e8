// take_in: a size that was to judge is tuned on, and sizes beside it judge in its place.
// Gives: kMostTakenIn, take_in. Needs: version_times.
//
//   tuned on   10        20        40             10        20   28   40
//   judges          14        28         becomes       14      24   33
#pragma once

#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::tune {

/// Of so many sizes; then a version that is slower at one is left out.
inline constexpr std::size_t kMostTakenIn = 8;

/// `name` is a size of `judged`. Sizes stand in the order of their first compared values.
void take_in(VersionTimes& tuned, VersionTimes& judged, const std::string& name,
             const TimeMidway& time_midway);

}  // namespace paraiso::tune
