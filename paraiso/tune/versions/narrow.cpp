#include "paraiso/tune/versions/narrow.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {
namespace {

/// The numbers of the sizes beside a split; none where all sizes lie on one side.
struct Beside {
  std::optional<std::size_t> below, above;
};

Beside beside(const VersionTimes& times, const ThresholdSplit& split) {
  const auto value = [&](std::size_t s) { return times.sizes[s].values[split.guard]; };
  Beside found;
  for (std::size_t s = 0; s < times.sizes.size(); ++s) {
    if (value(s) < split.threshold) {
      if (!found.below || value(s) >= value(*found.below)) found.below = s;
    } else if (!found.above || value(s) < value(*found.above)) {
      found.above = s;
    }
  }
  return found;
}

/// Whether it matters which of the two versions runs at a size.
bool differ(const VersionTimes& times, std::size_t size, std::size_t one, std::size_t other) {
  const double ratio = times.seconds[size][one] / times.seconds[size][other];
  return std::abs(ratio - 1) >= kPays;
}

bool is_wide(const VersionTimes& times, const SplitSizes& chosen, const ThresholdSplit& split,
             const Beside& around) {
  if (!around.below || !around.above) return false;
  const std::size_t below = *around.below, above = *around.above;
  const auto value = [&](std::size_t s) {
    return static_cast<double>(times.sizes[s].values[split.guard]);
  };
  if (value(above) < kNarrow * value(below)) return false;
  const std::size_t one = chosen.versions[below], other = chosen.versions[above];
  return one != other && (differ(times, below, one, other) || differ(times, above, one, other));
}

/// Between the two, in the order of the ladder.
void insert(VersionTimes& times, const Beside& around, const VersionTimes& more) {
  const auto place = static_cast<std::ptrdiff_t>(std::max(*around.below, *around.above));
  times.insert(place, more.sizes.front(), more.seconds.front());
}

}  // namespace

std::vector<Between> narrow_splits(VersionTimes& tuned,
                                   const std::function<SplitSizes(const VersionTimes&)>& choose,
                                   const TimeMidway& time_midway) {
  SplitSizes chosen = choose(tuned);
  std::vector<Between> found(chosen.splits.size());
  for (std::size_t s = 0; s < std::min(found.size(), chosen.splits.size()); ++s)
    while (s < chosen.splits.size() && found[s].added < kMostAdded) {
      const Beside around = beside(tuned, chosen.splits[s]);
      if (!is_wide(tuned, chosen, chosen.splits[s], around)) break;
      const auto more =
          time_midway(tuned.sizes[*around.below].name, tuned.sizes[*around.above].name);
      if (!more) break;
      insert(tuned, around, *more);
      ++found[s].added;
      chosen = choose(tuned);
    }
  found.resize(chosen.splits.size());
  for (std::size_t s = 0; s < found.size(); ++s) {
    const Beside around = beside(tuned, chosen.splits[s]);
    if (around.below) found[s].below = tuned.sizes[*around.below].name;
    if (around.above) found[s].above = tuned.sizes[*around.above].name;
  }
  return found;
}

}  // namespace paraiso::tune
