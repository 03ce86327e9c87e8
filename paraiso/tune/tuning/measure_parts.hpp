// The parts of a champion, measured: what each of its changes is worth, for `report`.
// Gives: measure_parts. Needs: tuning_run.
#pragma once

#include "paraiso/tune/tuning/tuning_run.hpp"

namespace paraiso::tune {

/// At most `most` of them (0: all), or until the run is stopped; those that the database knows are
/// not measured again. Each is measured in several rounds, and the median counts: where the run is
/// stopped amid them, all rounds are to be measured anew. Returns how many are known now. Throws
/// Error where there is no champion to take apart.
std::size_t measure_parts(const TuningRun& run, std::size_t most);

}  // namespace paraiso::tune
