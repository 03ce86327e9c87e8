// climb: from a point up to where no step along one axis is better, on the scale of logarithms.
// Gives: LogRange, climb, threshold_at. Needs: guard_tree.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/tune/thresholds/guard_tree.hpp"

namespace paraiso::tune {

struct LogRange {
  double lower, upper;  // of log2(1 + threshold)
};

/// A threshold by its place on that scale.
[[nodiscard]] std::int64_t threshold_at(double place);

/// Steps of half a range at first, then of half the step wherever none is better, down to
/// `finest`. `cost` returns none when no more tries are left. Returns the best configuration.
[[nodiscard]] Configuration climb(
    std::vector<double> place, const std::vector<LogRange>& ranges, double finest,
    const std::function<std::optional<double>(const Configuration&)>& cost);

}  // namespace paraiso::tune
