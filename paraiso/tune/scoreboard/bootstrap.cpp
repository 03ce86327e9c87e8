#include "paraiso/tune/scoreboard/bootstrap.hpp"

#include "paraiso/base/median.hpp"

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

Interval bootstrap_median(const std::vector<double>& values) {
  return resampled([&](Rng& rng) {
    std::vector<double> drawn(values.size());
    for (double& value : drawn) value = values[rng.below(values.size())];
    return lower_median(std::move(drawn));
  });
}

}  // namespace paraiso::tune
