// compare_tuners: the tuners of thresholds on a table of times, as if each time were measured when
// a tuner asks for it. Gives: TunerTrial, compare_tuners. Needs: version_times, tuners.
#pragma once

#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::tune {

struct TunerTrial {
  std::string tuner;
  std::uint64_t seed = 0;  // 0: it draws nothing
  int tries = 0;           // configurations that were run; of monotone, single sizes
  int eliminated = 0;      // those that were not, because a size is known to be stopped
  int runs = 0;            // sizes that were timed, once or more, until it knew what it ends with
  double seconds = 0;      // of all of these
  double cost = 0;         // of what it ends with: seconds of all sizes
  int found = 0;           // after so many runs it had timed all sizes so; `runs`: never as such
  std::vector<NotMonotone> not_monotone = {};
};

/// Futhark's first tuner with so many tries, and the final one of Thorøe's thesis, once with each
/// seed; comparison-based, branch-based and monotone once, the last without its check and
/// (`checked`) with it: then it tells where the times are not monotone. Branch-based and final stop
/// a size after 1.2 times the longest time of a size with the version `usual`. Cost and thresholds
/// are of seconds, as Futhark's: the longest sizes count most.
[[nodiscard]] std::vector<TunerTrial> compare_tuners(const GuardTree& guards,
                                                     const VersionTimes& times, std::size_t usual,
                                                     const std::vector<std::uint64_t>& seeds,
                                                     int tries);

}  // namespace paraiso::tune
