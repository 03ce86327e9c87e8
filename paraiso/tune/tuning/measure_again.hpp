// The best individuals of a problem, measured once more.
// Gives: measure_again. Needs: tuning_run.
#pragma once

#include "paraiso/tune/tuning/tuning_run.hpp"

namespace paraiso::tune {

/// Measures the `count` best of the problem that have not been measured again yet in turns with the
/// default schedule, in fifteen rounds or in `most_rounds`, until all that are the best by then
/// have been, or the run is stopped. Returns how many. Those that can't be built any more are
/// reported and stay as they are.
std::size_t measure_again(const TuningRun& run, std::size_t count, int most_rounds);

}  // namespace paraiso::tune
