#include "cli/tune_contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "paraiso/base/clock.hpp"
#include "paraiso/passes/cost.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/runtime/run/progress.hpp"
#include "paraiso/tune/contest/rating.hpp"

namespace paraiso::cli {

namespace {

using Json = nlohmann::ordered_json;

// How many of the best are measured again: the highest score of many is a lucky one.
constexpr std::size_t kFinalists = 3;

tune::Contest::Side side_of(const Tuning& tuning, const tune::Contestant& side) {
  const runtime::Backend& backend = backend_of(tuning.problem.backend);
  plan::Setting setting{tuning.size};
  setting.machine = tuning.machine;
  return {plan::letters_of(tuning.problem.genes, side.genome), side.measurement.score,
          side.measurement.deviation,
          plan::describe(backend.make_plan(tuning.program, tuning.schedule(side.genome)), setting)};
}

/// Of a search that began elsewhere than with the default schedule, and nowhere else.
std::string start_text(const HeldContest& held) {
  if (!held.first) return "";
  if (!held.first->ok()) return "; the start failed: " + held.first->reason;
  return fmt::format("; start {}: {:.3f} times", runtime::speed_text(held.first->score),
                     held.contest.best.score / held.first->score);
}

/// None where `signals` puts an end to it.
std::optional<tune::ContestResult> measure_sides(const TuneCall& call, const Tuning& tuning,
                                                 tune::Database& database, std::int64_t problem,
                                                 const runtime::StopSignals& signals,
                                                 tune::ProcessEvaluator& evaluator) {
  const auto finalists =
      tune::finalists(database, problem, tuning.problem.genes, tuning.default_genome, kFinalists);
  std::vector<plan::Genome> beside;
  if (tuning.first != tuning.default_genome) beside.push_back(tuning.first);
  const auto best = tune::best_rated(database, problem);
  const auto time = [&](const plan::Genome& genome) {
    // A start that can't win and is far behind is measured no longer than that takes to see.
    const bool can_win =
        genome == tuning.default_genome || std::ranges::find(finalists, genome) != finalists.end();
    const auto measurement = evaluator.time(genome, can_win || !best ? 0 : best->measurement.score);
    signals.throw_if_received();
    return measurement;
  };
  try {
    return tune::hold_contest(time, tuning.default_genome, finalists, beside,
                              {.most = call.rounds});
  } catch (const runtime::Stopped&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<HeldContest> hold_contest(const Session& session, const TuneCall& call,
                                        const Tuning& tuning, tune::Database& database,
                                        std::int64_t problem, const runtime::StopSignals& signals,
                                        tune::ProcessEvaluator& evaluator) {
  const auto measured = measure_sides(call, tuning, database, problem, signals, evaluator);
  if (!measured) return std::nullopt;
  const tune::ContestResult& result = *measured;
  for (const tune::Contestant& side : result.dropped)
    say_aside(fmt::format("note: one of the best failed beside the default: {}\n",
                          side.measurement.reason));
  const passes::Cost cost = passes::cost_of(tuning.kernel().graph);
  tune::Contest contest;
  contest.best = side_of(tuning, result.best);
  contest.start = side_of(tuning, result.start);
  contest.won = result.won;
  contest.operations = cost.operations / tuning.fusion.steps;
  contest.bytes = cost.bytes / tuning.fusion.steps;
  contest.command = session.command;
  contest.held = now();
  database.record(problem, contest);
  HeldContest held;
  held.contest = std::move(contest);
  held.rounds = static_cast<std::int64_t>(result.best.round_means.size());
  held.missing_rounds = result.missing_rounds;
  held.missing = tune::missing_text(result);
  if (!result.beside.empty()) held.first = result.beside[0].measurement;
  return held;
}

void tell_contest(const TuneCall& call, const Tuning& tuning, const TuneSummary& summary,
                  const HeldContest& held) {
  const tune::Contest& contest = held.contest;
  const auto schedule =
      tuning.schedule_option(plan::genome_from(tuning.problem.genes, contest.best.genome));
  if (call.execution.json) {
    Json result = {{"app", tuning.chosen.name},
                   {"problem", tuning.chosen.problem},
                   {"choices", choices_json(tuning.chosen.choices)},
                   {"dim", tuning.program.dimension},
                   {"size", tuning.size},
                   {"compiler", tuning.compiler},
                   {"target", tuning.problem.target},
                   {"strategy", call.strategy},
                   {"seed", call.seed},
                   {"measured", summary.measured},
                   {"individuals", summary.individuals},
                   {"genome", contest.best.genome},
                   {"gene_table_hash", plan::gene_table_hash(tuning.problem.genes)},
                   {"schedule", schedule},
                   {"champion_cell_updates_per_second", contest.best.score},
                   {"default_cell_updates_per_second", contest.start.score},
                   {"faster", contest.won},
                   {"rounds", held.rounds},
                   {"missing_rounds", held.missing_rounds},
                   {"database", summary.database}};
    if (held.first) result["start_cell_updates_per_second"] = held.first->score;
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print("side by side: best {}, default {}: {:.3f} times{}\n",
             runtime::speed_text(contest.best.score), runtime::speed_text(contest.start.score),
             contest.best.score / contest.start.score, start_text(held));
  if (held.missing_rounds > 0) {
    const std::int64_t rounds = held.rounds + held.missing_rounds;
    fmt::print("{}, `--contest --rounds {}`: until then `run` takes the default schedule\n",
               held.missing, rounds + rounds % 2);
    return;
  }
  if (!contest.won) {
    fmt::print("it is not faster by more than the doubt: `run` takes the default schedule\n");
    return;
  }
  fmt::print("`run` takes it from now on: {} near {}, {} thread{}, {} for {}; kept in `{}`\n",
             tuning.chosen.name, tuning.problem.size, tuning.problem.threads,
             tuning.problem.threads == 1 ? "" : "s", tuning.compiler, tuning.problem.target,
             summary.database);
  fmt::print("anywhere else: --schedule {}\n", schedule);
}

}  // namespace paraiso::cli
