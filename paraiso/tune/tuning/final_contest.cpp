#include "paraiso/tune/tuning/final_contest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/clock.hpp"
#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/tune/contest/rating.hpp"

namespace paraiso::tune {

namespace {

// How many of the best are measured again: the highest score of many is partly luck.
constexpr std::size_t kFinalists = 3;

Contest::Side side_of(const TunedProgram& tuned, const Contestant& side) {
  plan::Setting setting{tuned.size};
  setting.machine = tuned.machine;
  return {plan::letters_of(tuned.problem.genes, side.genome), side.measurement.score,
          side.measurement.deviation,
          plan::describe(tuned.backend->make_plan(tuned.program, tuned.schedule(side.genome)),
                         setting, tuned.backend->predict, tuned.backend->loops)};
}

/// None if the run is stopped.
std::optional<ContestResult> measure_sides(const TuningRun& run, int rounds) {
  const TunedProgram& tuned = run.tuned;
  const auto best_few =
      finalists(run.database, run.problem, tuned.problem.genes, tuned.default_genome, kFinalists);
  std::vector<plan::Genome> beside;
  if (tuned.first != tuned.default_genome) beside.push_back(tuned.first);
  const auto best = best_rated(run.database, run.problem);
  const auto time = [&](const plan::Genome& genome) {
    // A start that can't win is measured only until it is clearly far behind.
    const bool can_win =
        genome == tuned.default_genome || std::ranges::find(best_few, genome) != best_few.end();
    const auto measurement =
        run.evaluator.time(genome, can_win || !best ? 0 : best->measurement.score);
    run.signals.throw_if_received();
    return measurement;
  };
  try {
    return hold_contest(time, tuned.default_genome, best_few, beside, {.most = rounds});
  } catch (const runtime::Stopped&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<FinalContest> hold_final_contest(const TuningRun& run, int rounds,
                                               const std::string& command) {
  const auto result = measure_sides(run, rounds);
  if (!result) return std::nullopt;
  for (const Contestant& side : result->dropped)
    run.say(
        fmt::format("note: one of the best failed in the contest: {}", side.measurement.reason));
  const TunedProgram& tuned = run.tuned;
  const passes::Cost cost = passes::cost_of(tuned.kernel().graph);
  FinalContest held;
  held.contest.best = side_of(tuned, result->best);
  held.contest.start = side_of(tuned, result->start);
  held.contest.won = result->won;
  const int steps = tuned.fusion.kernel.empty() ? 1 : tuned.fusion.steps;  // of that kernel
  held.contest.operations = cost.operations / steps;
  held.contest.bytes = cost.bytes / steps;
  held.contest.command = command;
  held.contest.held = now();
  run.database.record(run.problem, held.contest);
  held.rounds = static_cast<std::int64_t>(result->best.round_means.size());
  held.missing_rounds = result->missing_rounds;
  held.missing = missing_text(*result);
  if (!result->beside.empty()) held.first = result->beside[0].measurement;
  return held;
}

}  // namespace paraiso::tune
