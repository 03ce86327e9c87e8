// The middle of some values. Gives: median, lower_median. Needs: nothing.
#pragma once

#include <algorithm>
#include <vector>

namespace paraiso {

/// Of at least one value; of an even number the mean of the middle two.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Of at least one value, some perhaps infinite; of an even number the lower of the middle two.
inline double lower_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

}  // namespace paraiso
