// TuningRun: what every measurement of a tuning works with: the program, its results so far, and
// how individuals are measured. Gives: TuningRun, outcome_text. Needs: tuned_program, evaluate.
#pragma once

#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/tune/evaluate/process_evaluator.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::tune {

/// Its parts outlive it.
struct TuningRun {
  const TunedProgram& tuned;
  Database& database;
  std::int64_t problem;  // its number there
  ProcessEvaluator& evaluator;
  const runtime::StopSignals& signals;
  std::function<void(const std::string&)> say;  // a line about what happens, for the user

  [[nodiscard]] bool stopped() const { return signals.received() != 0; }
};

/// The speed, or the reason of the failure.
[[nodiscard]] std::string outcome_text(const Measurement& measurement);

}  // namespace paraiso::tune
