// DrawingLaw: what drawing from a list without replacement reaches, calculated instead of drawn.
// Gives: DrawingLaw. Needs: nothing.
//
// Of N individuals in the order of their scores, the best of n drawn ones is the k-th with
// probability C(k-1, n-1) / C(N, n).
#pragma once

#include <cstddef>
#include <vector>

namespace paraiso::tune {

class DrawingLaw {
 public:
  /// At least one score.
  explicit DrawingLaw(std::vector<double> scores);

  struct Moments {
    double mean = 0, deviation = 0;
  };
  /// Of the best of `drawn`, between 1 and all.
  [[nodiscard]] Moments best_of(std::size_t drawn) const;
  /// The fewest draws among which a score of at least `goal` is with probability one half or more.
  [[nodiscard]] std::size_t median_draws_to(double goal) const;

 private:
  std::vector<double> scores_;  // ascending
};

}  // namespace paraiso::tune
