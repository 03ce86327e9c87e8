// plot_axis: where the marks of an axis go, and what they say.
// Gives: Range, ticks, number_text. Needs: nothing.
#pragma once

#include <string>
#include <vector>

namespace paraiso::runtime {

struct Range {
  double lower = 0, upper = 1;
  [[nodiscard]] double width() const { return upper - lower; }
  /// 0 at `lower`, 1 at `upper`.
  [[nodiscard]] double fraction(double x) const { return (x - lower) / width(); }
};

/// Multiples of 1, 2 or 5 times a power of ten inside `range`, about `count` of them, ascending.
[[nodiscard]] std::vector<double> ticks(Range range, int count);

/// `x` with as many digits as tell values of `range` apart, and no more than it needs.
[[nodiscard]] std::string number_text(double x, Range range);

}  // namespace paraiso::runtime
