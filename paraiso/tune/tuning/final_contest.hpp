// The end of a tuning: the contest of its best individuals with the default schedule.
// Gives: FinalContest, hold_final_contest. Needs: tuning_run, contest.
#pragma once

#include "paraiso/tune/contest/contest.hpp"
#include "paraiso/tune/tuning/tuning_run.hpp"

namespace paraiso::tune {

struct FinalContest {
  Contest contest;
  std::int64_t rounds = 0, missing_rounds = 0;  // of the decision; 0 missing: decided
  std::string missing;                          // the same in words
  std::optional<Measurement> first;             // of the start, if that is not the default schedule
};

/// Measures, in `rounds` at most if it is in doubt, and records the result in the database, as of
/// `command`: from then on `run` uses the champion, or no longer uses an earlier one that has lost.
/// Nothing is recorded or returned if the run is stopped.
[[nodiscard]] std::optional<FinalContest> hold_final_contest(const TuningRun& run, int rounds,
                                                             const std::string& command);

}  // namespace paraiso::tune
