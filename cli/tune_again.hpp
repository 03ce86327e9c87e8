// `tune --again N`: the best individuals, measured once more.
// Gives: measure_again. Needs: tuning, tune.
#pragma once

#include "cli/tuning.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"

namespace paraiso::cli {

/// Measures the `call.again` best of the problem that have not been measured again yet in turns
/// with the default schedule, until all that are the best by then have been, or `signals` says so.
/// Returns how many. Those that can't be built any more are told of and stay as they are.
std::size_t measure_again(const TuneCall& call, const Tuning& tuning, tune::Database& database,
                          std::int64_t problem, const runtime::StopSignals& signals,
                          tune::ProcessEvaluator& evaluator);

}  // namespace paraiso::cli
