// The end of a tuning: its best individuals beside the default schedule, and what is told of it.
// Gives: HeldContest, hold_contest, TuneSummary, tell_contest. Needs: tuning, tune.
#pragma once

#include "cli/tuning.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/tune/contest/contest.hpp"

namespace paraiso::cli {

struct HeldContest {
  tune::Contest contest;
  std::int64_t rounds = 0, missing_rounds = 0;  // of the decision; 0 missing: it has been taken
  std::string missing;                          // the same in words
  std::optional<tune::Measurement> first;  // where `--from` began, if not with the default schedule
};

/// Measures, and records in the database what came out: from then on `run` takes the champion, or
/// no longer takes an earlier one that has lost. Nothing is recorded or given where `signals` puts
/// an end to it.
[[nodiscard]] std::optional<HeldContest> hold_contest(
    const Session& session, const TuneCall& call, const Tuning& tuning, tune::Database& database,
    std::int64_t problem, const runtime::StopSignals& signals, tune::ProcessEvaluator& evaluator);

struct TuneSummary {
  std::size_t measured = 0;      // individuals, by this call
  std::int64_t individuals = 0;  // of the problem in the database
  std::string database;          // its path
};
/// On standard output.
void tell_contest(const TuneCall& call, const Tuning& tuning, const TuneSummary& summary,
                  const HeldContest& held);

}  // namespace paraiso::cli
