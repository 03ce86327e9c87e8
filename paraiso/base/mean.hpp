// The mean of some values. Gives: mean. Needs: nothing.
#pragma once

#include <numeric>
#include <vector>

namespace paraiso {

/// 0 of no value.
inline double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace paraiso
