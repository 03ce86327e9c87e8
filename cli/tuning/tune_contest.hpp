// The report of a tuning's final contest.
// Gives: TuneSummary, tell_contest. Needs: tuning, tune.
#pragma once

#include "cli/tuning/tuning.hpp"
#include "paraiso/tune/tuning/final_contest.hpp"

namespace paraiso::cli {

struct TuneSummary {
  std::size_t measured = 0;      // individuals, by this call
  std::int64_t individuals = 0;  // of the problem in the database
  std::string database;          // its path
  std::size_t predicted = 0;     // schedules that were to be tried first
  std::size_t untried = 0;       // of these, the default one and that named, when it began
  double enough = 0;             // times the default's speed, which end a search; 0: none do
  bool good_enough = false;      // and whether they did
  bool predicted_alone = false;  // nothing else was to be tried
};
/// Prints to standard output.
void tell_contest(const TuneCall& call, const Tuning& tuning, const TuneSummary& summary,
                  const tune::FinalContest& held);

}  // namespace paraiso::cli
