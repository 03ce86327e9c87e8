// bootstrap: how sure a mean or a median over repeated searches is.
// Gives: bootstrap, bootstrap_median. Needs: resampled.
#pragma once

#include "paraiso/base/resampled.hpp"

namespace paraiso::tune {

/// The 95 % interval of the mean over groups of the means within them, by resampling within each
/// group: the groups are what is asked about (the spaces), their members (the seeds) are chance.
/// The same numbers give the same interval. No group may be empty.
[[nodiscard]] Interval bootstrap(const std::vector<std::vector<double>>& groups);
/// Of the lower median of at least one value, some perhaps infinite: then the ends may be, too.
[[nodiscard]] Interval bootstrap_median(const std::vector<double>& values);

}  // namespace paraiso::tune
