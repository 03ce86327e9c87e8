// Hill climbing without knowledge of comparisons, as Futhark's first tuner.
#include <cmath>
#include <limits>

#include "paraiso/base/rng.hpp"
#include "paraiso/tune/thresholds/climb.hpp"
#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {

Found by_hill(Runs& runs, int tries, std::uint64_t seed) {
  const double top = std::log2(1e6 + 1);  // OpenTuner's LogInteger parameters: from 0 to 10^6
  const std::vector<LogRange> ranges(runs.guards().size(), LogRange{0, top});
  Rng rng(seed);
  Found best;
  best.cost = std::numeric_limits<double>::infinity();
  const auto cost = [&](const Configuration& configuration) -> std::optional<double> {
    if (best.tries >= tries) return std::nullopt;
    ++best.tries;
    const double found = runs.total_again(configuration);
    if (found < best.cost || best.thresholds.empty()) {
      best.cost = found;
      best.thresholds = configuration;
    }
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
