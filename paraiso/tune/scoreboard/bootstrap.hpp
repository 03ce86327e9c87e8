// bootstrap: how sure a mean over repeated searches is.
// Gives: Interval, bootstrap. Needs: nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace paraiso::tune {

struct Interval {
  double low = 0, high = 0;
};

/// The 95 % interval of the mean over groups of the means within them, by resampling within each
/// group: the groups are what is asked about (the spaces), their members (the seeds) are chance.
/// The same numbers give the same interval. No group may be empty.
[[nodiscard]] Interval bootstrap(const std::vector<std::vector<double>>& groups,
                                 std::size_t resamples = 2000);

}  // namespace paraiso::tune
