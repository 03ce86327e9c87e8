#include "paraiso/tune/scoreboard/bootstrap.hpp"

#include <algorithm>

#include "paraiso/base/rng.hpp"

namespace paraiso::tune {

namespace {

double resampled_mean(const std::vector<double>& values, Rng& rng) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[rng.below(values.size())];
  return sum / static_cast<double>(values.size());
}

}  // namespace

Interval bootstrap(const std::vector<std::vector<double>>& groups, std::size_t resamples) {
  Rng rng(1);
  std::vector<double> means;
  for (std::size_t r = 0; r < resamples; ++r) {
    double sum = 0;
    for (const auto& values : groups) sum += resampled_mean(values, rng);
    means.push_back(sum / static_cast<double>(groups.size()));
  }
  std::ranges::sort(means);
  return {means[resamples / 40], means[resamples - 1 - resamples / 40]};
}

}  // namespace paraiso::tune
