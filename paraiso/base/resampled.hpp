// How sure a number is that is made from samples. Gives: Interval, resampled. Needs: rng.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "paraiso/base/rng.hpp"

namespace paraiso {

struct Interval {
  double low = 0, high = 0;
};

/// Where 95 % of the numbers lie that `draw(rng)` makes, each from samples that it draws again. The
/// random numbers are the same in each call.
template <class Draw>
Interval resampled(Draw draw) {
  constexpr std::size_t resamples = 2000;
  Rng rng(1);
  std::vector<double> numbers;
  for (std::size_t r = 0; r < resamples; ++r) numbers.push_back(draw(rng));
  std::ranges::sort(numbers);
  return {numbers[resamples / 40], numbers[resamples - 1 - resamples / 40]};
}

}  // namespace paraiso
