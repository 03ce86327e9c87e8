// remeasure: what individuals are worth beside the default schedule, whatever else the machine did.
// Gives: measure_beside. Needs: rounds.
#pragma once

#include <optional>

#include "paraiso/tune/contest/rounds.hpp"

namespace paraiso::tune {

/// In each round the start and all of them, in turns: a score is the median over the rounds of its
/// ratio to the start's, times `start_score` (what the start is otherwise known to reach; its mean
/// here if that is not given), and the samples are these ratios times that. One that fails in some
/// round has failed. Throws Error where the start fails.
[[nodiscard]] std::vector<Measurement> measure_beside(const Time& time, const plan::Genome& start,
                                                      const std::vector<plan::Genome>& genomes,
                                                      std::optional<double> start_score = {},
                                                      int rounds = 15);

}  // namespace paraiso::tune
