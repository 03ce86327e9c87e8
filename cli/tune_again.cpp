#include "cli/tune_again.hpp"

#include <fmt/format.h>

#include "paraiso/runtime/progress.hpp"
#include "paraiso/tune/rating.hpp"

namespace paraiso::cli {

namespace {

std::string outcome(const tune::Measurement& measurement) {
  return measurement.ok() ? runtime::speed_text(measurement.score) : measurement.reason;
}

}  // namespace

std::size_t measure_again(const TuneCall& call, const Tuning& tuning, tune::Database& database,
                          std::int64_t problem, const runtime::StopSignals& signals,
                          tune::ProcessEvaluator& evaluator) {
  const auto next = [&] {
    return tune::best_to_remeasure(database, problem, static_cast<std::size_t>(call.again));
  };
  std::size_t measured = 0;
  // Who falls behind lets others in.
  for (auto best = next(); !best.empty() && signals.received() == 0; best = next()) {
    const tune::Individual& individual = best.front();
    const auto again = evaluator.time(plan::genome_from(tuning.problem.genes, individual.genome));
    database.remeasure(individual.id, again);
    say_aside(fmt::format("individual {}: {}, and again: {}\n", individual.id,
                          outcome(individual.measurement), outcome(again)));
    ++measured;
  }
  return measured;
}

}  // namespace paraiso::cli
