// The thesis's final tuner: climbs within the compared values, and knows the paths.
#include <algorithm>
#include <cmath>
#include <limits>

#include "paraiso/base/rng.hpp"
#include "paraiso/tune/thresholds/climb.hpp"
#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {
namespace {

/// From just below the smallest compared value to just above the largest.
std::vector<LogRange> compared_ranges(const Runs& runs) {
  std::vector<LogRange> ranges;
  for (std::size_t c = 0; c < runs.guards().size(); ++c) {
    std::int64_t least = INT64_MAX, most = 0;
    for (const DataSet& one : runs.data()) {
      least = std::min(least, one.values[c]);
      most = std::max(most, one.values[c]);
    }
    ranges.push_back({std::log2(static_cast<double>(std::max<std::int64_t>(least, 1))),
                      std::log2(2.0 + static_cast<double>(most))});
  }
  return ranges;
}

}  // namespace

Found by_hill_and_branch(Runs& runs, std::uint64_t seed) {
  const std::vector<LogRange> ranges = compared_ranges(runs);
  Rng rng(seed);
  Found best;
  std::set<std::vector<Path>> tried;
  const auto cost = [&](const Configuration& configuration) -> std::optional<double> {
    const std::vector<Path> paths = runs.paths(configuration);
    if (tried.insert(paths).second) ++(runs.stops(paths) ? best.eliminated : best.tries);
    const double found =
        runs.stops(paths) ? std::numeric_limits<double>::infinity() : runs.total(configuration);
    best.offer(configuration, found);
    return found;
  };
  std::vector<double> place;
  for (const LogRange& range : ranges)
    place.push_back(range.lower + (range.upper - range.lower) * rng.unit());
  (void)climb(place, ranges, 1.0 / 64, cost);
  return best;
}

}  // namespace paraiso::tune
