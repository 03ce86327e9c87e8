// plot_axis: positions and texts of the marks on an axis.
// Gives: PlotRange, ticks, number_text. Needs: nothing.
#pragma once

#include <string>
#include <vector>

namespace paraiso::runtime {

struct PlotRange {
  double lower = 0, upper = 1;
  [[nodiscard]] double width() const { return upper - lower; }
  /// 0 at `lower`, 1 at `upper`.
  [[nodiscard]] double fraction(double x) const { return (x - lower) / width(); }
};

/// Multiples of 1, 2 or 5 times a power of ten inside `range`, about `count` of them, ascending.
[[nodiscard]] std::vector<double> ticks(PlotRange range, int count);

/// `x` with enough digits to tell values of `range` apart, and no more than it needs.
[[nodiscard]] std::string number_text(double x, PlotRange range);

}  // namespace paraiso::runtime
