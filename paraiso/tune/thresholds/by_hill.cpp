// Hill climbing without knowledge of comparisons, as Futhark's first tuner.
#include <algorithm>
#include <cmath>
#include <limits>

#include "paraiso/base/rng.hpp"
#include "paraiso/tune/thresholds/climb.hpp"
#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {
namespace {

/// One range for all thresholds, to just above the largest measure of all. (Futhark's first tuner
/// had OpenTuner's LogInteger parameters, from 0 to 10^6, whatever was compared.)
LogRange range_of_all(const Runs& runs) {
  std::int64_t most = 0;
  for (const DataSet& one : runs.data())
    for (const std::int64_t value : one.values) most = std::max(most, value);
  return {0, std::log2(2.0 + static_cast<double>(most))};
}

}  // namespace

Found by_hill(Runs& runs, int tries, std::uint64_t seed) {
  const std::vector<LogRange> ranges(runs.guards().size(), range_of_all(runs));
  Rng rng(seed);
  Found best;
  const auto cost = [&](const Configuration& configuration) -> std::optional<double> {
    if (best.tries >= tries) return std::nullopt;
    ++best.tries;
    const double found = runs.total_again(configuration);
    best.offer(configuration, found);
    return found;
  };
  while (best.tries < tries) {
    std::vector<double> place;
    for (const LogRange& range : ranges) place.push_back(range.upper * rng.unit());
    (void)climb(place, ranges, 1.0 / 64, cost);
  }
  return best;
}

}  // namespace paraiso::tune
