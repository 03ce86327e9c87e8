#include "paraiso/tune/thresholds/climb.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {
namespace {

Configuration configuration_at(const std::vector<double>& place) {
  Configuration configuration;
  for (const double one : place) configuration.push_back(threshold_at(one));
  return configuration;
}

}  // namespace

std::int64_t threshold_at(double place) {
  const double value = std::exp2(place) - 1;
  return value >= 9e18 ? INT64_MAX : static_cast<std::int64_t>(std::llround(value));
}

Configuration climb(std::vector<double> place, const std::vector<LogRange>& ranges, double finest,
                    const std::function<std::optional<double>(const Configuration&)>& cost) {
  auto best = cost(configuration_at(place));
  for (double step = 0.5; best && step >= finest;) {
    bool better = false;
    for (std::size_t c = 0; c < place.size(); ++c)
      for (const double way : {-1.0, 1.0}) {
        std::vector<double> next = place;
        next[c] = std::clamp(place[c] + way * step * (ranges[c].upper - ranges[c].lower),
                             ranges[c].lower, ranges[c].upper);
        if (next == place) continue;
        const auto found = cost(configuration_at(next));
        if (!found) return configuration_at(place);
        if (*found >= *best) continue;
        best = found;
        place = next;
        better = true;
      }
    if (!better) step /= 2;
  }
  return configuration_at(place);
}

}  // namespace paraiso::tune
