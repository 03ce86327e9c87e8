// PublicScore: how much of the way from random drawing to the best a search has gone.
// Gives: PublicScore. Needs: nothing.
//
// The score of Willemsen et al., "A methodology for comparing auto-tuning optimization algorithms"
// (FGCS 2024), as their package `autotuning-methodology` 1.1.0 calculates it over evaluations:
//
//     S = mean over x of (random(x) - f(x)) / (random(x) - best)
//
// where f(x) is the shortest time that the search knows after x evaluations, and random(x) that of
// random drawing: of the N individuals that succeeded, the one at rank x (N + 1) / (x + 1) from the
// slowest. x runs from the budget at which random drawing has gone 50 % of the way from the median
// to the best, to that at which it has gone 95 %. 0 is as good as random, 1 knows the best at once.
#pragma once

#include <cstddef>
#include <vector>

namespace paraiso::tune {

class PublicScore {
 public:
  /// The scores of all individuals; 0 of those that failed. Throws Error if fewer than three
  /// succeeded or they are too alike to tell searches apart.
  explicit PublicScore(const std::vector<double>& scores);

  /// The first and last x.
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t last() const { return last_; }
  /// The time of random drawing after `evaluations`; a time is the inverse of a score.
  [[nodiscard]] double random(std::size_t evaluations) const;
  /// Of a search: the highest score after each evaluation, 0 as long as all failed. After its end
  /// a search knows what it knew; before its first success, the slowest individual.
  [[nodiscard]] double operator()(const std::vector<double>& curve) const;

 private:
  [[nodiscard]] std::size_t budget_to(double part) const;

  std::vector<double> times_;  // of those that succeeded, the slowest first
  std::size_t first_ = 0, last_ = 0;
};

}  // namespace paraiso::tune
