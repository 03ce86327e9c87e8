// median_interval: how sure a median over programs is. Gives: median_interval. Needs: resampled.
#pragma once

#include <string>
#include <vector>

#include "paraiso/base/resampled.hpp"

namespace paraiso::tune {

/// Where 95 % of the medians lie when the programs are drawn again, as many as there are, with all
/// the values of each: a program's sizes are no independent witnesses. `programs` has the program
/// of each value. The same values give the same interval.
[[nodiscard]] Interval median_interval(const std::vector<double>& values,
                                       const std::vector<std::string>& programs);

}  // namespace paraiso::tune
