#include "paraiso/tune/versions/take_in.hpp"

#include <algorithm>

namespace paraiso::tune {
namespace {

std::ptrdiff_t place_of(const VersionTimes& times, const DataSet& size) {
  const auto value = [](const DataSet& one) { return one.values.front(); };
  return std::ranges::lower_bound(times.sizes, value(size), {}, value) - times.sizes.begin();
}

/// Where it stands then.
std::ptrdiff_t insert(VersionTimes& times, const DataSet& size,
                      const std::vector<double>& seconds) {
  const std::ptrdiff_t place = place_of(times, size);
  times.insert(place, size, seconds);
  return place;
}

}  // namespace

void take_in(VersionTimes& tuned, VersionTimes& judged, const std::string& name,
             const TimeMidway& time_midway) {
  const auto from = std::ranges::find(judged.sizes, name, &DataSet::name) - judged.sizes.begin();
  const auto place =
      static_cast<std::size_t>(insert(tuned, judged.sizes[static_cast<std::size_t>(from)],
                                      judged.seconds[static_cast<std::size_t>(from)]));
  judged.sizes.erase(judged.sizes.begin() + from);
  judged.seconds.erase(judged.seconds.begin() + from);
  for (const std::size_t below : {place - 1, place}) {  // wraps around below the first one
    if (below >= tuned.sizes.size() || below + 1 >= tuned.sizes.size()) continue;
    if (const auto more = time_midway(tuned.sizes[below].name, tuned.sizes[below + 1].name))
      insert(judged, more->sizes.front(), more->seconds.front());
  }
}

}  // namespace paraiso::tune
