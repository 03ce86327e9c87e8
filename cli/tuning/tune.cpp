// `paraiso tune`: searches schedules for the fastest one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/shares.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/turns.hpp"
#include "cli/choices/database_choice.hpp"
#include "cli/tuning/measured_depth.hpp"
#include "cli/tuning/tune_contest.hpp"
#include "cli/tuning/tune_predict.hpp"
#include "cli/tuning/tune_watch.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/contest/similar.hpp"
#include "paraiso/tune/fast/good_enough.hpp"
#include "paraiso/tune/fast/one_by_one.hpp"
#include "paraiso/tune/rivals/common_recipes.hpp"
#include "paraiso/tune/tuning/describe_problem.hpp"
#include "paraiso/tune/tuning/measure_again.hpp"
#include "paraiso/tune/tuning/measure_parts.hpp"
#include "paraiso/tune/tuning/reference_timer.hpp"

namespace paraiso::cli {
namespace {

// Starts taken from other problems of the database.
constexpr std::size_t kSimilarStarts = 3;

tune::Database open_database(const TuneCall& call) {
  const std::filesystem::path file = database_path(call.execution.database);
  if (call.execution.database.empty() && file.has_parent_path())
    runtime::make_folder(file.parent_path());
  return tune::Database(file);
}

tune::TunerSettings settings_of(const Session& session, const TuneCall& call) {
  tune::TunerSettings settings;
  settings.strategy = call.strategy;
  settings.seed = call.seed;
  settings.shares = call.shares.value_or(tune::BirthShares{});
  settings.budget = call.budget > 0 ? static_cast<std::size_t>(call.budget) : SIZE_MAX;
  if (call.total > 0) settings.total = static_cast<std::size_t>(call.total);
  settings.command = session.command;
  settings.version = runtime::kVersion;
  return settings;
}

std::string ending_of(const TuneSummary& summary, const tune::Tuner& tuner, bool stopped) {
  if (summary.good_enough)
    return fmt::format("{:.2f} times the default's speed is reached", summary.enough);
  if (summary.predicted_alone && !stopped)
    return "all that is predicted is tried: `--budget N` searches on";
  return tuner.ending();
}

/// Measures individuals until the call's end is reached, one is good enough, or the run is stopped.
void search(const Session& session, const TuneCall& call, const Tuning& tuning,
            const tune::TuningRun& run, TuneSummary& summary) {
  const auto similar = tune::similar_schedules(run.database, run.tuned.problem, kSimilarStarts);
  TuneWatch watch(call.budget, call.minutes, call.from.empty() ? "the default" : "the start");
  // All timings are of the default: for another start there is only its score.
  const auto speed = [&](const tune::History& history) {
    return tune::start_speed(history, run.tuned.first,
                             run.tuned.first == run.tuned.default_genome
                                 ? run.database.references(run.problem)
                                 : std::vector<tune::ReferenceTiming>());
  };
  // As long as the start is the best, there is nothing to compare it with.
  const auto shown = [&](const tune::History& history) {
    const auto best = history.best();
    return best && history.genome(*best) == run.tuned.first ? std::nullopt : speed(history);
  };
  const auto enough = [&](const tune::History& history) {
    return summary.enough > 0 && tune::good_enough(history, speed(history), summary.enough);
  };
  tune::TunerSettings settings = settings_of(session, call);
  settings.starts_only = !tuning.only.empty();
  settings.stop = [&] { return run.stopped() || watch.time_is_over() || summary.good_enough; };
  tune::ReferenceTimer reference(run);
  settings.watch = [&](const tune::TunerEvent& event) {
    watch.tell(event, shown(event.history));
    reference.count();
    summary.good_enough = summary.good_enough || enough(event.history);
  };
  tune::Tuner tuner(run.database, run.problem, space_of(call, tuning, similar),
                    std::move(settings));
  reference.take();
  summary.good_enough = enough(tuner.history());
  tune::OneByOne evaluator(run.evaluator, summary.untried);
  summary.measured = tuner.run(evaluator);
  watch.finish(watch.time_is_over() ? "the time is over"
                                    : ending_of(summary, tuner, run.stopped()));
  if (tuner.knows_all()) run.database.mark_exhausted(run.problem);
  if (!run.stopped()) reference.take();
  reference.tell();
}

/// The option of a call that does not search; null if it searches.
const char* searchless(const TuneCall& call) {
  if (call.contest_alone) return "--contest";
  if (call.parts) return "--parts";
  return call.again > 0 ? "--again" : nullptr;
}

/// The option that is for a search alone, and does not limit it; null if there is none.
const char* way_of_search(const TuneCall& call) {
  return call.from == "default" && call.contest_alone ? "--from default" : call.of_search;
}

/// The option that limits the search; null if there is none. With `--parts`, `--budget` limits the
/// parts.
const char* length_of_search(const TuneCall& call) {
  if (call.total > 0) return "--total";
  if (call.minutes > 0) return "--minutes";
  if (call.recipes > 0) return "--recipes";
  if (call.predict) return "--predict";
  if (call.good_enough > 0 && searchless(call) != nullptr) return "--good-enough";
  return call.budget > 0 && !call.parts ? "--budget" : nullptr;
}

void check_length(const TuneCall& call) {
  const char* alone = searchless(call);
  const char* length = length_of_search(call);
  if (alone == nullptr && length == nullptr)
    throw WrongCall("how long? `--budget N` or `--total N` individuals, or `--minutes M`");
  const char* for_search = length != nullptr ? length : way_of_search(call);
  if (alone != nullptr && for_search != nullptr)
    throw WrongCall(
        fmt::format("`{}` is for a search, and `{}` does not search", for_search, alone));
}

void check_call(const TuneCall& call) {
  if (call.contest_alone + call.parts + (call.again > 0) > 1)
    throw WrongCall("`--contest`, `--parts` and `--again` can't be combined: give one of them");
  if (!call.from.empty() && !call.execution.building.schedule.empty())
    throw WrongCall("`--from` replaces all starts, `--schedule` adds one: give one of them");
  require_anneal(call.shares, call.strategy);
  if (call.recipes > 0 && (call.budget > 0 || call.total > 0 || !call.from.empty()))
    throw WrongCall("`--recipes` measures a list: leave out `--budget`, `--total` and `--from`");
  if (call.recipes > 0 && !call.execution.building.schedule.empty())
    throw WrongCall("`--recipes` measures a list, and `--schedule` adds to a search: leave it out");
  if (call.recipes > 0 && is_divided(call.execution.division))
    throw WrongCall("`--recipes` is for whole grids: leave out `--ranks` and `--divide`");
  if ((call.predict || call.good_enough > 0) && (call.recipes > 0 || !call.from.empty()))
    throw WrongCall(fmt::format("`{}` compares with the default schedule: leave out `{}`",
                                call.predict ? "--predict" : "--good-enough",
                                call.recipes > 0 ? "--recipes" : "--from"));
  if (call.budget > 0 && call.total > 0)
    throw WrongCall("`--budget` counts new individuals, `--total` all of them: give one of them");
  check_length(call);
}

tune::EvaluatorSettings evaluation_of(const TuneCall& call, const Tuning& tuning,
                                      const std::filesystem::path& folder, tune::Database& database,
                                      std::int64_t problem) {
  tune::EvaluatorSettings settings{.command = command_of(call, tuning),
                                   .folder = folder,
                                   .limits = limits_of(call),
                                   .locks = chosen_locks(call.execution.building.backend)};
  // The value of a slow part matters as much as that of a fast one.
  settings.give_up = !call.parts;
  if (call.parts) return settings;
  settings.keep = keeper_of(call, tuning, database_path(call.execution.database), problem);
  settings.recall = [&database, problem](const std::string& code_hash) {
    return database.timing_of(problem, code_hash);
  };
  if (const auto best = tune::best_rated(database, problem))
    settings.best = best->measurement.score;
  return settings;
}

int stopped(std::int64_t individuals) {
  say_aside(fmt::format(
      "stopped: {} individuals are kept, and the same command continues from them\n", individuals));
  return kFailure;
}

/// Sets the budget to what is left of a total.
void count_down(TuneCall& call, std::int64_t known) {
  if (call.total == 0) return;
  call.budget = std::max<std::int64_t>(0, call.total - known);
  call.contest_alone = call.contest_alone || call.budget == 0;
}

/// What the first recipes of the common list are here; their genomes become all that is measured.
void take_list(TuneCall& call, Tuning& tuning, tune::Database& database, std::int64_t problem) {
  const auto recipes = tune::listed_recipes(tuning.tuned, static_cast<int>(call.recipes));
  database.list(problem, recipes);
  for (const tune::ListedRecipe& recipe : recipes) {
    const plan::Genome genome = tuning.tuned.genome_from(recipe.genome);
    if (database.find(problem, recipe.genome) ||
        std::ranges::find(tuning.only, genome) != tuning.only.end())
      continue;
    tuning.only.push_back(genome);
  }
  call.budget = static_cast<std::int64_t>(tuning.only.size());
  call.contest_alone = call.budget == 0;
}

/// What is predicted is tried before all else; without a length of the search, nothing else is.
void take_prediction(TuneCall& call, Tuning& tuning, tune::Database& database, std::int64_t problem,
                     TuneSummary& summary) {
  const Foretold foretold = foretell(call, tuning.tuned, database, problem);
  tuning.predicted = foretold.list.trials;
  summary.predicted = tuning.predicted.size();
  summary.enough = foretold.enough;
  if (!call.predict) return;
  const auto unknown = [&](const plan::Genome& genome) {
    return !database.find(problem, plan::letters_of(tuning.tuned.problem.genes, genome));
  };
  const auto first =
      tune::tried_first(tuning.tuned, named_schedule(call, tuning), tuning.predicted);
  summary.untried = static_cast<std::size_t>(std::ranges::count_if(first, unknown));
  if (call.budget > 0 || call.minutes > 0 || call.contest_alone) return;
  tuning.only = first;
  call.budget = static_cast<std::int64_t>(summary.untried);
  call.contest_alone = call.budget == 0;
  summary.predicted_alone = true;
}

/// Prints a count of something to standard output.
void tell_count(const TuneCall& call, const char* name, std::size_t count, const char* meaning) {
  if (call.execution.json)
    fmt::print("{}\n", json_text(nlohmann::ordered_json{{name, count}}));
  else
    fmt::print("{} {}\n", count, meaning);
}

/// `--parts` and `--again`: measurements apart from a search. None for any other call.
std::optional<int> measure_known(const TuneCall& call, const tune::TuningRun& run) {
  if (call.parts)
    tell_count(call, "parts", tune::measure_parts(run, static_cast<std::size_t>(call.budget)),
               "parts of the champion are known: `paraiso report` shows them");
  else if (call.again > 0)
    tell_count(call, "measured",
               tune::measure_again(run, static_cast<std::size_t>(call.again), call.rounds),
               "individuals are measured again: `replay` and `report` use these scores");
  else
    return std::nullopt;
  return run.stopped() ? kFailure : kSuccess;
}

int tune_machine(const Session& session, TuneCall call) {
  check_call(call);
  measure_depth(session, call);
  Tuning tuning = set_up(session, call);
  const bool divided = om::ranks_of(tuning.tuned.problem.size) > 1;
  if (!divided) call.execution.division = {};  // one rank is the whole grid
  // Complains about schedule and strategy before anything is written.
  as_wrong_call([&] { (void)tune::Search(space_of(call, tuning, {}), call.strategy, call.seed); });
  tune::Database database = open_database(call);
  const runtime::TemporaryFolder scratch;
  find_reference(call, scratch, tuning);
  const auto problem = database.add(tuning.tuned.problem);
  tune::keep_description(database, problem, tuning.tuned, tuning.chosen.steps);
  tune::ProcessEvaluator evaluator(evaluation_of(call, tuning, scratch.path(), database, problem));
  const runtime::StopSignals signals(true);
  const tune::TuningRun run{tuning.tuned, database,
                            problem,      evaluator,
                            signals,      [](const std::string& text) { say_aside(text + "\n"); }};
  if (const auto status = measure_known(call, run)) return *status;
  if (call.recipes > 0)
    take_list(call, tuning, database, problem);
  else
    count_down(call, database.count(problem));
  TuneSummary summary;
  take_prediction(call, tuning, database, problem, summary);
  if (!call.contest_alone) search(session, call, tuning, run, summary);
  summary.individuals = database.count(problem);
  summary.database = database_path(call.execution.database).string();
  if (run.stopped()) return stopped(summary.individuals);
  const auto held = tune::hold_final_contest(run, call.rounds, session.command);
  if (!held) return stopped(summary.individuals);
  tell_contest(call, tuning, summary, *held);
  return kSuccess;
}

}  // namespace

void declare_tune(CLI::App& command, Session& session) {
  const auto call = std::make_shared<TuneCall>();
  declare_execution(command, call->execution, false);
  declare_division(command, call->execution.division);
  // Its help fits a screen without it: what there is to say stands in docs/distributed.md.
  command.get_option("--divide")->group("");
  command.add_option("--from", call->from, "start only from default, a file, genome:LETTERS")
      ->type_name("S");
  // What is predicted does not shift storage. docs/files.md says what this does.
  CLI::Option* const skew = command.add_flag("--skew", call->skew)->group("");
  command.add_option("--strategy", call->strategy, "how to search; default anneal")
      ->type_name("NAME");
  add_count(command, "--budget", call->budget, "number of new individuals to measure");
  add_count(command, "--total", call->total, "until this many are known");
  // Not in the help, which would not fit a screen: it is for `scripts/record-training.sh`.
  add_count(command, "--recipes", call->recipes, "no search: N recipes that all programs share")
      ->group("")
      ->excludes(skew);
  add_positive(command, "--minutes", call->minutes,
               "or for this long; `--good-enough X` ends each sooner")
      ->type_name("M");
  command.add_flag("--predict", call->predict, "first what is predicted, until it is good enough")
      ->excludes(skew);
  // A line of its own would not fit a screen.
  add_positive(command, "--good-enough", call->good_enough, "times the default's speed")->group("");
  declare_database(command, call->execution);
  command.add_flag("--contest", call->contest_alone,
                   "no search: time the best known against the default");
  add_count(command, "--rounds", call->rounds, "most rounds of a contest in doubt; default 48", 6,
            1000000);
  command.add_flag("--parts", call->parts, "no search: measure the champion's changes");
  add_count(command, "--again", call->again, "no search: measure the N best again");
  add_positive(command, "--compile-limit", call->compile_limit,
               "for compiling an individual; default 600")
      ->type_name("SECONDS");
  add_positive(command, "--time-limit", call->time_limit, "for checking and timing it; default 300")
      ->type_name("SECONDS");
  add_count(command, "--seed", call->seed, "of all random choices; default 1", 0)->type_name("S");
  declare_shares(command, call->shares);
  command.get_option("--shares")->group("");  // stands in docs/search.md
  add_count(command, "--repeat", call->repeats, "timed repeats of an individual; default 30", 1,
            1000)
      ->type_name("R");
  command.callback([&session, &command, call] {
    for (const char* option : {"--strategy", "--seed", "--shares", "--schedule"})
      if (command.count(option) > 0) call->of_search = option;
    session.chosen = [&, call] { return tune_machine(session, *call); };
  });
}

}  // namespace paraiso::cli
