// remeasure: the speed of individuals relative to the default schedule, measured side by side.
// Gives: measure_beside. Needs: rounds.
#pragma once

#include <optional>

#include "paraiso/tune/contest/rounds.hpp"

namespace paraiso::tune {

/// In each round the start and all of them, in turns. A score is the median over the rounds of the
/// ratio to the start's, times `start_score` (the start's known score, by default its mean here),
/// and the samples are these ratios times that. One that fails in any round has failed. Throws
/// Error if the start fails.
[[nodiscard]] std::vector<Measurement> measure_beside(const MeasureGenome& time,
                                                      const plan::Genome& start,
                                                      const std::vector<plan::Genome>& genomes,
                                                      std::optional<double> start_score,
                                                      int rounds);

}  // namespace paraiso::tune
