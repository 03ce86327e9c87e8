// orders: what the rivals do, each as a function from known spaces to an order of trying.
// Gives: RecipeValues, kNoRidge, votes, mean_speeds, overlap_regression,
// by_predicted_overlap, by_fast, by_overlap.
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

/// The regression of what the best `count` of each two spaces share.
[[nodiscard]] Regression overlap_regression(const Spaces& known, std::size_t count, Terms kind,
                                            double ridge);

/// Known spaces, that of the highest predicted overlap first.
[[nodiscard]] TryingOrder by_predicted_overlap(const Spaces& known, const SolutionSpace& asked,
                                               const Regression& regression);

/// FAST: the union of the best `count` of the five spaces that are predicted to overlap most, first
/// those that are in the most of them, weighted by the predicted overlap.
[[nodiscard]] TryingOrder by_fast(const Spaces& known, const SolutionSpace& asked,
                                  const Regression& regression, std::size_t count);

/// Ours: all recipes by the speed that they have in the `neighbours` spaces of most predicted
/// overlap, weighted by it.
[[nodiscard]] TryingOrder by_overlap(const Spaces& known, const SolutionSpace& asked,
                                     const Regression& regression, std::size_t neighbours);

}  // namespace paraiso::tune
