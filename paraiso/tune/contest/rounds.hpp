// Rounds: individuals measured in turns, so that anything that slows the machine down for a while
// slows all of a round. Gives: MeasureGenome, Contestant, play, require_start. Needs: measurement,
// plan's genomes.
#pragma once

#include <functional>

#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/database/measurement.hpp"

namespace paraiso::tune {

/// Checks an individual on the real grid, and measures it.
using MeasureGenome = std::function<Measurement(const plan::Genome&)>;

struct Contestant {
  plan::Genome genome;
  Measurement measurement = {};          // of all rounds, or why it failed
  std::vector<double> round_means = {};  // one per round
};

/// Each side once per round; the first one of a round is the last one of the next. Ends early if
/// there is nobody left to compare with.
void play(const MeasureGenome& time, std::vector<Contestant*> sides, int rounds);

/// Throws Error, with the reason, for a default schedule that failed in a contest.
void require_start(const Contestant& start);

}  // namespace paraiso::tune
