#include "paraiso/tune/scoreboard/bootstrap.hpp"

namespace paraiso::tune {

namespace {

double resampled_mean(const std::vector<double>& values, Rng& rng) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[rng.below(values.size())];
  return sum / static_cast<double>(values.size());
}

}  // namespace

Interval bootstrap(const std::vector<std::vector<double>>& groups) {
  const auto mean = [&](Rng& rng) {
    double sum = 0;
    for (const auto& values : groups) sum += resampled_mean(values, rng);
    return sum / static_cast<double>(groups.size());
  };
  return resampled(mean);
}

}  // namespace paraiso::tune
