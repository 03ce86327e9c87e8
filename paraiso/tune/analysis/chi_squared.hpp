// Pearson's chi-squared tests of independence.
// Gives: ChiSquared, independence, correlation, chi_squared_tail. Needs: nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace paraiso::tune {

struct ChiSquared {
  double statistic = 0;  // X^2
  int degrees = 0;       // of freedom; 0: nothing to test
  int sign = 0;          // of the correlation of two predicates: +1, -1, or 0 if there is none

  /// The probability of a statistic at least this large if the null hypothesis is true.
  [[nodiscard]] double probability() const;
};

/// For rows and columns of a table of counts. Empty rows and columns are left out.
[[nodiscard]] ChiSquared independence(const std::vector<std::vector<double>>& counts);

/// For two predicates on a population: how many satisfy both, the first, the second, and the size
/// of the population.
[[nodiscard]] ChiSquared correlation(std::int64_t both, std::int64_t first, std::int64_t second,
                                     std::int64_t all);

/// The probability that a chi-squared variable exceeds `statistic`; degrees >= 1.
[[nodiscard]] double chi_squared_tail(double statistic, int degrees);

}  // namespace paraiso::tune
