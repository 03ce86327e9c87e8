// Rounds: individuals measured in turns, so that what slows the machine down for a while slows all
// of a round. Gives: Time, Contestant, play, require_start. Needs: measurement, plan's genomes.
#pragma once

#include <functional>

#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/database/measurement.hpp"

namespace paraiso::tune {

/// Checks an individual on the real grid, and measures it.
using Time = std::function<Measurement(const plan::Genome&)>;

struct Contestant {
  plan::Genome genome;
  Measurement measurement = {};          // of all rounds, or why it failed
  std::vector<double> round_means = {};  // one a round
};

/// Each side once a round, the first one of a round being the last one of the next; until there is
/// nobody left to compare with.
void play(const Time& time, std::vector<Contestant*> sides, int rounds);

/// Throws Error with the reason of a default schedule that failed beside others.
void require_start(const Contestant& start);

}  // namespace paraiso::tune
