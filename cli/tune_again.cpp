#include "cli/tune_again.hpp"

#include <fmt/format.h>

#include <set>

#include "paraiso/tune/rating.hpp"

namespace paraiso::cli {

namespace {

/// One that can't be built any more is as good as it was. But an answer that is wrong stays wrong.
bool says_nothing(const tune::Measurement& built) {
  return !built.ok() && tune::reason_class(built.reason) != "wrong answer";
}

}  // namespace

std::size_t measure_again(const TuneCall& call, const Tuning& tuning, tune::Database& database,
                          std::int64_t problem, const runtime::StopSignals& signals,
                          tune::ProcessEvaluator& evaluator) {
  std::set<std::int64_t> left_out;
  const auto next = [&] {
    auto best = tune::best_to_remeasure(database, problem, static_cast<std::size_t>(call.again));
    std::erase_if(best, [&](const auto& individual) { return left_out.contains(individual.id); });
    return best;
  };
  std::size_t measured = 0;
  // Who falls behind lets others in.
  for (auto best = next(); !best.empty() && signals.received() == 0; best = next()) {
    const tune::Individual& individual = best.front();
    const auto genome = plan::genome_from(tuning.problem.genes, individual.genome);
    const auto built = evaluator.build(genome);
    if (says_nothing(built)) {
      left_out.insert(individual.id);
      say_aside(fmt::format("individual {}: {}, and can't be built again: {}\n", individual.id,
                            outcome_text(individual.measurement), built.reason));
      continue;
    }
    const auto again = built.ok() ? evaluator.time(genome) : built;
    database.remeasure(individual.id, again);
    say_aside(fmt::format("individual {}: {}, and again: {}\n", individual.id,
                          outcome_text(individual.measurement), outcome_text(again)));
    ++measured;
  }
  return measured;
}

}  // namespace paraiso::cli
