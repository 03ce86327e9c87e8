// The parts of a champion, measured: what each of its changes is worth, for `report`.
// Gives: measure_parts. Needs: tuning, tune.
#pragma once

#include "cli/tuning.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"

namespace paraiso::cli {

/// At most `call.budget` of them (0: all), or until `signals` says so; those that the database
/// knows are not measured again. Each is measured in several rounds, and the median counts. Returns
/// how many are known now. Throws Error where there is no champion to take apart.
std::size_t measure_parts(const TuneCall& call, const Tuning& tuning, tune::Database& database,
                          std::int64_t problem, const runtime::StopSignals& signals,
                          tune::ProcessEvaluator& evaluator);

}  // namespace paraiso::cli
