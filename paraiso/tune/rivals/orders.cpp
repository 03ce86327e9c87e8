#include "paraiso/tune/rivals/orders.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paraiso/tune/predict/likeness.hpp"

namespace paraiso::tune {

namespace {

// A recipe that fails counts as so slow.
constexpr double kSlowest = 0.05;
// A space that nothing is expected of still counts a little.
constexpr double kLeastWeight = 0.01;

}  // namespace

RecipeValues votes(const std::vector<TryingOrder>& lists, const RecipeValues& weights,
                   std::size_t count, std::size_t members) {
  RecipeValues sums(members, 0);
  for (std::size_t l = 0; l < lists.size(); ++l)
    for (std::size_t place = 0; place < lists[l].size(); ++place)
      sums[lists[l][place]] +=
          std::max(weights[l], kLeastWeight) *
          (1 - static_cast<double>(place) / (2.0 * static_cast<double>(count)));
  return sums;
}

RecipeValues mean_speeds(const Spaces& known, const RecipeValues& weights) {
  RecipeValues sums(known.front()->speed.size(), 0);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t s = 0; s < known.size(); ++s)
    for (std::size_t r = 0; r < sums.size(); ++r)
      sums[r] +=
          weights[s] / total * std::log(std::max(known[s]->speed[r] / known[s]->best(), kSlowest));
  return sums;
}

RecipeValues expected_speeds(const SolutionSpace& asked) {
  const double least = *std::ranges::min_element(asked.model);
  RecipeValues speeds;
  for (const double time : asked.model)
    speeds.push_back(std::log(std::max(least / time, kSlowest)));
  return speeds;
}

OverlapRegressions::OverlapRegressions(const Spaces& known, Terms kind)
    : pairs_(pairs_of(known, kind)), equations_(equations_of(pairs_, kind)) {}

std::vector<OverlapRegressions::Pair> OverlapRegressions::pairs_of(const Spaces& known,
                                                                   Terms kind) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t j = 0; j < known.size(); ++j)
      if (j < i || (j > i && kind == Terms::signed_plain)) pairs.emplace_back(known[i], known[j]);
  return pairs;
}

PairEquations OverlapRegressions::equations_of(const std::vector<Pair>& pairs, Terms kind) {
  std::vector<PairEquations::Pair> features;
  for (const auto& [one, other] : pairs) features.push_back({&one->features, &other->features});
  return {features, kind};
}

Regression OverlapRegressions::operator()(std::size_t count, double ridge) const {
  std::vector<double> overlaps;
  for (const auto& [one, other] : pairs_) overlaps.push_back(overlap(*one, *other, count));
  return equations_.fit(overlaps, ridge);
}

Regression overlap_regression(const Spaces& known, std::size_t count, Terms kind, double ridge) {
  return OverlapRegressions(known, kind)(count, ridge);
}

RecipeValues predicted_overlaps(const Spaces& known, const SolutionSpace& asked,
                                const Regression& regression) {
  RecipeValues overlaps;
  for (const SolutionSpace* space : known)
    overlaps.push_back(regression(asked.features, space->features));
  return overlaps;
}

TryingOrder by_predicted_overlap(const Spaces& known, const SolutionSpace& asked,
                                 const Regression& regression) {
  return order_by(predicted_overlaps(known, asked, regression));
}

TryingOrder by_fast(const Spaces& known, const SolutionSpace& asked, const Regression& regression,
                    std::size_t count) {
  const RecipeValues overlaps = predicted_overlaps(known, asked, regression);
  TryingOrder closest = order_by(overlaps);
  closest.resize(std::min(kNeighbours, closest.size()));
  std::vector<TryingOrder> best;
  RecipeValues weights;
  for (const std::size_t space : closest) {
    best.push_back(optimal(*known[space], count));
    weights.push_back(overlaps[space]);
  }
  return order_by(votes(best, weights, count, asked.model.size()));
}

TryingOrder by_overlap(const Spaces& known, const RecipeValues& overlaps, std::size_t neighbours) {
  RecipeValues weights(known.size(), 0);
  TryingOrder closest = order_by(overlaps);
  closest.resize(std::min(neighbours, closest.size()));
  for (const std::size_t space : closest) weights[space] = std::max(overlaps[space], kLeastWeight);
  return order_by(mean_speeds(known, weights));
}

}  // namespace paraiso::tune
