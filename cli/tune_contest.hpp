// The end of a tuning: its best individuals beside the default schedule, and what is told of it.
// Gives: hold_contest, tell_contest. Needs: tuning, tune.
#pragma once

#include "cli/tuning.hpp"
#include "paraiso/tune/contest.hpp"

namespace paraiso::cli {

/// Measures, and records in the database what came out: from then on `run` takes the champion, or
/// no longer takes an earlier one that has lost.
[[nodiscard]] tune::Contest hold_contest(const Session& session, const Tuning& tuning,
                                         tune::Database& database, std::int64_t problem,
                                         tune::ProcessEvaluator& evaluator);

struct TuneSummary {
  std::size_t measured = 0;      // individuals, by this call
  std::int64_t individuals = 0;  // of the problem in the database
  std::string database;          // its path
};
/// On standard output.
void tell_contest(const TuneCall& call, const Tuning& tuning, const TuneSummary& summary,
                  const tune::Contest& contest);

}  // namespace paraiso::cli
