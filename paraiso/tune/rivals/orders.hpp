// orders: what the rivals do, each as a function from known spaces to an order of trying.
// Gives: RecipeValues, kNoRidge, votes, mean_speeds, expected_speeds, OverlapRegressions,
// overlap_regression, predicted_overlaps, by_predicted_overlap, by_fast, by_overlap.
// Needs: rivals, regression.
#pragma once

#include "paraiso/tune/rivals/regression.hpp"
#include "paraiso/tune/rivals/rivals.hpp"

namespace paraiso::tune {

using RecipeValues = std::vector<double>;  // of each recipe

/// The paper's regression has none; with fewer pairs than terms one is needed.
inline constexpr double kNoRidge = 1e-9;

/// FAST's order of trying: what each of `members` is worth that stands in some of the `lists` of
/// the best, `count` long at most: the sum of their weights, that of its first place counting twice
/// as much as one behind the last.
[[nodiscard]] RecipeValues votes(const std::vector<TryingOrder>& lists, const RecipeValues& weights,
                                 std::size_t count, std::size_t members);

/// The weighted mean of the logarithms of the speeds over the best ones; `weights` of each space.
[[nodiscard]] RecipeValues mean_speeds(const Spaces& known, const RecipeValues& weights);

/// The logarithms of the speeds that the cost model expects, over the best one.
[[nodiscard]] RecipeValues expected_speeds(const SolutionSpace& asked);

/// Regressions of what the best of each two of the spaces share, `kind` and spaces being the same.
class OverlapRegressions {
 public:
  OverlapRegressions(const Spaces& known, Terms kind);
  /// Of the best `count` of each.
  [[nodiscard]] Regression operator()(std::size_t count, double ridge) const;

 private:
  using Pair = std::pair<const SolutionSpace*, const SolutionSpace*>;
  static std::vector<Pair> pairs_of(const Spaces& known, Terms kind);
  static PairEquations equations_of(const std::vector<Pair>& pairs, Terms kind);

  std::vector<Pair> pairs_;
  PairEquations equations_;
};

/// The only one that is wanted.
[[nodiscard]] Regression overlap_regression(const Spaces& known, std::size_t count, Terms kind,
                                            double ridge);

/// Of the known spaces and the asked one.
[[nodiscard]] RecipeValues predicted_overlaps(const Spaces& known, const SolutionSpace& asked,
                                              const Regression& regression);

/// Known spaces, that of the highest predicted overlap first.
[[nodiscard]] TryingOrder by_predicted_overlap(const Spaces& known, const SolutionSpace& asked,
                                               const Regression& regression);

/// FAST: the union of the best `count` of the five spaces that are predicted to overlap most, first
/// those that are in the most of them, weighted by the predicted overlap.
[[nodiscard]] TryingOrder by_fast(const Spaces& known, const SolutionSpace& asked,
                                  const Regression& regression, std::size_t count);

/// Ours: all recipes by the speed that they have in the `neighbours` spaces of most predicted
/// overlap, weighted by it; `overlaps` are those of the known spaces.
[[nodiscard]] TryingOrder by_overlap(const Spaces& known, const RecipeValues& overlaps,
                                     std::size_t neighbours);

}  // namespace paraiso::tune
