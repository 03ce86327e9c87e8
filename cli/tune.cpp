// `paraiso tune`: searches schedules for the fastest one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "cli/shares.hpp"
#include "cli/subcommands.hpp"
#include "cli/tune_again.hpp"
#include "cli/tune_contest.hpp"
#include "cli/tune_parts.hpp"
#include "cli/tune_reference.hpp"
#include "cli/tune_watch.hpp"
#include "cli/tuning_problem.hpp"
#include "paraiso/runtime/build/host_lock.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/contest/similar.hpp"

namespace paraiso::cli {
namespace {

// Starts that come from other problems of the database.
constexpr std::size_t kSimilarStarts = 3;
// Of the memory that there is when the tuning starts, what individuals may take.
constexpr double kMemoryShare = 0.8;

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
  settings.command = session.command;
  settings.version = runtime::kVersion;
  return settings;
}

/// Measures individuals until the call's end is reached or `signals` says so; returns how many.
std::size_t search(const Session& session, const TuneCall& call, const Tuning& tuning,
                   tune::Database& database, std::int64_t problem,
                   const runtime::StopSignals& signals, tune::ProcessEvaluator& evaluator) {
  const auto similar = tune::similar_schedules(database, tuning.problem, kSimilarStarts);
  TuneWatch watch(call.budget, call.minutes, tuning.first,
                  call.from.empty() ? "the default" : "the start");
  tune::TunerSettings settings = settings_of(session, call);
  settings.stop = [&] { return signals.received() != 0 || watch.time_is_over(); };
  ReferenceTimer reference(tuning, database, problem, evaluator);
  settings.watch = [&](const tune::TunerEvent& event) {
    watch.tell(event);
    reference.count();
  };
  tune::Tuner tuner(database, problem, space_of(call, tuning, similar), std::move(settings));
  reference.take();
  const std::size_t measured = tuner.run(evaluator);
  watch.finish(watch.time_is_over() ? "the time is over" : tuner.ending());
  if (signals.received() == 0) reference.take();
  reference.tell();
  return measured;
}

/// The option for a call that does not search; null for one that does.
const char* searchless(const TuneCall& call) {
  if (call.contest_alone) return "--contest";
  if (call.parts) return "--parts";
  return call.again > 0 ? "--again" : nullptr;
}

/// The option that says how long to search; null where there is none. Of parts, `--budget` says how
/// many.
const char* length_of_search(const TuneCall& call) {
  if (call.total > 0) return "--total";
  if (call.minutes > 0) return "--minutes";
  return call.budget > 0 && !call.parts ? "--budget" : nullptr;
}

void check_length(const TuneCall& call) {
  const char* alone = searchless(call);
  const char* length = length_of_search(call);
  if (alone == nullptr && length == nullptr)
    throw WrongCall("how long? `--budget N` or `--total N` individuals, or `--minutes M`");
  if (alone != nullptr && length != nullptr)
    throw WrongCall(fmt::format("`{}` is for a search, and `{}` does not search", length, alone));
}

void check_call(const TuneCall& call) {
  if (call.contest_alone + call.parts + (call.again > 0) > 1)
    throw WrongCall("`--contest`, `--parts` and `--again` can't be combined: give one of them");
  if (!call.from.empty() && !call.execution.building.schedule.empty())
    throw WrongCall("`--from` replaces all starts, `--schedule` adds one: give one of them");
  require_anneal(call.shares, call.strategy);
  if (call.budget > 0 && call.total > 0)
    throw WrongCall("`--budget` counts new individuals, `--total` all of them: give one of them");
  check_length(call);
}

tune::WorkerLimits limits_of(const TuneCall& call) {
  tune::WorkerLimits limits;
  limits.builds = static_cast<std::size_t>(runtime::host().threads);
  limits.build_seconds = build_seconds(call);
  limits.time_seconds = call.time_limit;
  limits.bytes = kMemoryShare * runtime::available_memory().bytes;
  return limits;
}

tune::EvaluatorSettings evaluation_of(const TuneCall& call, const Tuning& tuning,
                                      const std::filesystem::path& folder, tune::Database& database,
                                      std::int64_t problem) {
  tune::EvaluatorSettings settings{command_of(call, tuning), folder, limits_of(call),
                                   runtime::host_lock_file()};
  // What a slow part is worth is to be known as well as what a fast one is.
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

/// The budget that is left of a total.
void count_down(TuneCall& call, std::int64_t known) {
  if (call.total == 0) return;
  call.budget = std::max<std::int64_t>(0, call.total - known);
  call.contest_alone = call.contest_alone || call.budget == 0;
}

/// On standard output, how many there are of something.
void tell_count(const TuneCall& call, const char* name, std::size_t count, const char* meaning) {
  if (call.execution.json)
    fmt::print("{}\n", nlohmann::ordered_json{{name, count}}.dump(2));
  else
    fmt::print("{} {}\n", count, meaning);
}

int tune_machine(const Session& session, TuneCall call) {
  check_call(call);
  Tuning tuning = set_up(session, call);
  // Complains of schedule and strategy before anything is written.
  as_wrong_call([&] { (void)tune::Search(space_of(call, tuning, {}), call.strategy, call.seed); });
  tune::Database database = open_database(call);
  const runtime::TemporaryFolder scratch;
  find_reference(call, scratch, tuning);
  const auto problem = database.add(tuning.problem);
  tune::ProcessEvaluator evaluator(evaluation_of(call, tuning, scratch.path(), database, problem));
  const runtime::StopSignals signals(true);
  if (call.parts) {
    const auto known = measure_parts(call, tuning, database, problem, signals, evaluator);
    tell_count(call, "parts", known,
               "parts of the champion are known: `paraiso report` shows them");
    return signals.received() == 0 ? kSuccess : kFailure;
  }
  if (call.again > 0) {
    const auto measured = measure_again(call, tuning, database, problem, signals, evaluator);
    tell_count(call, "measured", measured,
               "individuals are measured again: `replay` and `report` use these scores");
    return signals.received() == 0 ? kSuccess : kFailure;
  }
  count_down(call, database.count(problem));
  TuneSummary summary;
  if (!call.contest_alone)
    summary.measured = search(session, call, tuning, database, problem, signals, evaluator);
  summary.individuals = database.count(problem);
  summary.database = database_path(call.execution.database).string();
  if (signals.received() != 0) return stopped(summary.individuals);
  const auto held = hold_contest(session, call, tuning, database, problem, signals, evaluator);
  if (!held) return stopped(summary.individuals);
  tell_contest(call, tuning, summary, *held);
  return kSuccess;
}

}  // namespace

void declare_tune(CLI::App& command, Session& session) {
  const auto call = std::make_shared<TuneCall>();
  declare_execution(command, call->execution);
  command.add_option("--from", call->from, "start only from default, a file, genome:LETTERS")
      ->type_name("S");
  command.add_option("--strategy", call->strategy, "how to search; default anneal")
      ->type_name("NAME");
  add_count(command, "--budget", call->budget, "number of new individuals to measure");
  add_count(command, "--total", call->total, "until this many are known");
  add_positive(command, "--minutes", call->minutes, "or for this long")->type_name("M");
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
  add_count(command, "--repeat", call->repeats, "timed repeats of an individual; default 30", 1,
            1000)
      ->type_name("R");
  command.callback(
      [&session, call] { session.chosen = [&, call] { return tune_machine(session, *call); }; });
}

}  // namespace paraiso::cli
