// Monotone: one threshold after the other, by bisection over what it is compared with.
#include <algorithm>
#include <limits>

#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {
namespace {

constexpr double kWorse = 1.02;  // more than noise
constexpr double kUnending = std::numeric_limits<double>::infinity();

/// Tunes one threshold; those that are reached after it have their values already.
class OneThreshold {
 public:
  OneThreshold(Runs& runs, std::size_t comparison, const Configuration& others)
      : runs_(runs), comparison_(comparison), others_(others), data_(reached()) {
    const auto value = [&](std::size_t d) { return runs_.data()[d].values[comparison_]; };
    std::ranges::stable_sort(data_, {}, value);
    for (std::size_t first = 0; first < data_.size();) {
      std::vector<std::size_t> alike;
      for (; first < data_.size() && (alike.empty() || value(alike[0]) == value(data_[first]));
           ++first)
        alike.push_back(data_[first]);
      alike_.push_back(std::move(alike));
    }
  }

  /// How many groups of data sets, from the smallest value on, had better fail.
  std::size_t bisect() {
    std::size_t fails = 0, end = alike_.size();
    while (fails < end) {
      const std::size_t middle = fails + (end - fails) / 2;
      if (cost(middle, true) <= cost(middle, false))
        end = middle;
      else
        fails = middle + 1;
    }
    return fails;
  }

  /// The same by the costs of all of them.
  std::size_t cheapest() {
    std::size_t best = 0;
    double least = kUnending;
    for (std::size_t fails = 0; fails <= alike_.size(); ++fails) {
      double sum = 0;
      for (std::size_t g = 0; g < alike_.size(); ++g) sum += cost(g, g >= fails);
      if (sum >= least) continue;
      least = sum;
      best = fails;
    }
    return best;
  }

  [[nodiscard]] std::int64_t threshold(std::size_t fails) const {
    std::vector<DataSet> compared;
    for (const auto& alike : alike_) compared.push_back(runs_.data()[alike[0]]);
    return choices_of(compared, comparison_)[fails];
  }

  void report(std::size_t fails, std::vector<NotMonotone>& found) {
    for (std::size_t g = 0; g < alike_.size(); ++g)
      for (const std::size_t d : alike_[g]) {
        const double ratio = run(d, g >= fails) / run(d, g < fails);
        if (ratio > kWorse) found.push_back({comparison_, d, ratio});
      }
  }

 private:
  /// With which the comparison is reached and has an outcome.
  [[nodiscard]] Configuration leading_to(bool holds) const {
    Configuration configuration = others_;
    lead(comparison_, configuration);
    configuration[comparison_] = holds ? 0 : INT64_MAX;
    return configuration;
  }
  void lead(std::size_t comparison, Configuration& configuration) const {
    for (const Need& need : runs_.guards()[comparison].needs) {
      lead(need.comparison, configuration);
      configuration[need.comparison] = need.met ? 0 : INT64_MAX;
    }
  }
  [[nodiscard]] std::vector<std::size_t> reached() const {
    std::vector<std::size_t> all;
    const Configuration leading = leading_to(true);
    for (std::size_t d = 0; d < runs_.data().size(); ++d)
      if (path_of(runs_.guards(), runs_.data()[d], leading)[comparison_] != Branch::not_reached)
        all.push_back(d);
    return all;
  }

  double run(std::size_t data, bool holds) {
    return runs_.cost(data, path_of(runs_.guards(), runs_.data()[data], leading_to(holds)));
  }
  double cost(std::size_t group, bool holds) {
    double sum = 0;
    for (const std::size_t d : alike_[group]) sum += run(d, holds);
    return sum;
  }

  Runs& runs_;
  std::size_t comparison_;
  const Configuration& others_;
  std::vector<std::size_t> data_;                // that can reach it, by what they compare
  std::vector<std::vector<std::size_t>> alike_;  // the same, those with one value together
};

}  // namespace

Found monotone(Runs& runs, bool check) {
  Found found;
  found.thresholds.assign(runs.guards().size(), INT64_MAX);
  // Those that others need stand before them.
  for (std::size_t c = runs.guards().size(); c-- > 0;) {
    OneThreshold one(runs, c, found.thresholds);
    const std::size_t fails = check ? one.cheapest() : one.bisect();
    if (check) one.report(fails, found.not_monotone);
    const std::int64_t value = one.threshold(fails);
    found.thresholds[c] = value;
  }
  found.tries = runs.count();
  found.cost = runs.total(found.thresholds);
  return found;
}

}  // namespace paraiso::tune
