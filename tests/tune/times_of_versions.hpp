// times_of_versions: a table of times, planted. Gives: times. Needs: version_times.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::tune {

/// Each row: the one number of a size, and the seconds of each version.
inline VersionTimes times(const std::vector<std::pair<std::int64_t, std::vector<double>>>& rows) {
  VersionTimes made;
  for (const auto& [value, seconds] : rows) {
    made.sizes.push_back({std::to_string(value), {value, value}});
    made.seconds.push_back(seconds);
  }
  return made;
}

}  // namespace paraiso::tune
