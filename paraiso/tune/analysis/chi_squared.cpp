#include "paraiso/tune/analysis/chi_squared.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {

double ChiSquared::probability() const {
  return degrees > 0 ? chi_squared_tail(statistic, degrees) : 1;
}

ChiSquared independence(const std::vector<std::vector<double>>& counts) {
  const std::size_t columns = counts.empty() ? 0 : counts[0].size();
  std::vector<double> of_row(counts.size()), of_column(columns);
  double all = 0;
  for (std::size_t r = 0; r < counts.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      of_row[r] += counts[r][c], of_column[c] += counts[r][c];
      all += counts[r][c];
    }
  ChiSquared test;
  for (std::size_t r = 0; r < counts.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      const double expected = of_row[r] * of_column[c] / all;
      if (expected > 0) test.statistic += std::pow(counts[r][c] - expected, 2) / expected;
    }
  const auto filled = [](const std::vector<double>& sums) {
    return static_cast<int>(std::ranges::count_if(sums, [](double sum) { return sum > 0; }));
  };
  test.degrees = std::max(0, filled(of_row) - 1) * std::max(0, filled(of_column) - 1);
  if (test.degrees == 0) test.statistic = 0;
  return test;
}

ChiSquared correlation(std::int64_t both, std::int64_t first, std::int64_t second,
                       std::int64_t all) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  ChiSquared test = independence(
      {{real(both), real(first - both)}, {real(second - both), real(all - first - second + both)}});
  const double excess = real(both) * real(all) - real(first) * real(second);
  if (test.degrees > 0) test.sign = (excess > 0) - (excess < 0);
  return test;
}

double chi_squared_tail(double statistic, int degrees) {
  // Abramowitz and Stegun, 26.4.4 and 26.4.5: from one or two degrees upwards in steps of two.
  const double half = statistic / 2;
  if (half <= 0) return 1;
  double tail = degrees % 2 ? std::erfc(std::sqrt(half)) : std::exp(-half);
  for (double k = degrees % 2 ? 0.5 : 1; 2 * k < degrees; k += 1)
    tail += std::exp(k * std::log(half) - half - std::lgamma(k + 1));
  return tail;
}

}  // namespace paraiso::tune
