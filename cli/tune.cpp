// `paraiso tune`: searches schedules for the fastest one.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/execution.hpp"
#include "cli/subcommands.hpp"
#include "cli/values.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/plan/genome.hpp"
#include "paraiso/runtime/file.hpp"
#include "paraiso/runtime/host.hpp"
#include "paraiso/runtime/memory.hpp"
#include "paraiso/runtime/process.hpp"
#include "paraiso/runtime/progress.hpp"
#include "paraiso/runtime/stop_signals.hpp"
#include "paraiso/runtime/temporary_folder.hpp"
#include "paraiso/runtime/toolchain.hpp"
#include "paraiso/tune/process_evaluator.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

// Rounds of champion and default, one after the other, at the end.
constexpr int kRounds = 5;
constexpr double kReferenceSeconds = 1200;

struct TuneCall {
  Execution execution;
  std::string strategy = "anneal", database;
  std::int64_t budget = 0;  // individuals; 0: until the minutes are over
  double minutes = 0;       // 0: until the budget is spent
  std::uint64_t seed = 1;
};

/// All that stays the same while a tuning runs.
struct Setup {
  ChosenMachine chosen;
  om::Machine program;
  std::vector<plan::Gene> genes;
  std::vector<std::int64_t> size;
  std::string compiler;
  int threads = 1;
  // Of the default schedule: how many steps a repeat takes, and the state after them.
  std::int64_t steps = 0;
  std::string state_hash;
};

std::filesystem::path default_database() {
  if (const char* file = getenv("PARAISO_DATABASE")) return file;
  const char* data = getenv("XDG_DATA_HOME");
  const char* home = getenv("HOME");
  if (!data && !home) throw WrongCall("`--database FILE` is needed where there is no $HOME");
  const auto folder =
      (data ? std::filesystem::path(data) : std::filesystem::path(home) / ".local/share") /
      "paraiso";
  runtime::make_folder(folder);
  return folder / "tuning.sqlite";
}

/// The call of a worker, but for what an order says.
std::vector<std::string> worker_call(const TuneCall& call, const Setup& setup,
                                     const std::string& schedule) {
  const Execution& e = call.execution;
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                    "worker", e.machine.machine};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--dim", e.machine.dimension);
  add("--precision", e.machine.precision);
  add("--problem", e.machine.problem);
  add("--size", runtime::size_text(setup.size));
  for (const std::string& assignment : e.set) add("--set", assignment);
  add("--threads", std::to_string(setup.threads));
  add("--numbers", passes::name(e.building.numbers));
  add("--compiler", setup.compiler);
  add("--fuse", std::to_string(e.building.fuse));
  if (e.building.hold_time_step) words.push_back("--hold-time-step");
  add("--schedule", schedule);
  return words;
}

tune::ProcessEvaluator::Command command_of(const TuneCall& call, const Setup& setup) {
  return [&call, &setup](const tune::WorkerOrder& order) {
    auto words = worker_call(call, setup, "genome:" + plan::letters_of(setup.genes, order.genome));
    const bool building = order.phase == tune::WorkerOrder::Phase::build;
    words.insert(words.end(),
                 {"--phase", building ? "build" : "time", "--answer", order.answer.string(),
                  "--expected", setup.state_hash, "--steps", std::to_string(setup.steps), "--best",
                  fmt::format("{}", order.best)});
    return words;
  };
}

/// Builds the default schedule and runs it once: what all others have to equal.
void find_reference(const TuneCall& call, const runtime::TemporaryFolder& scratch, Setup& setup) {
  const auto answer = scratch.path() / "reference.json";
  auto words = worker_call(call, setup, call.execution.building.schedule);
  words.insert(words.end(), {"--phase", "reference", "--answer", answer.string()});
  const auto result = runtime::run_program(words, {}, kReferenceSeconds);
  if (result.status != 0)
    throw Error(fmt::format("the first schedule does not run:\n{}", result.output));
  const Json found = Json::parse(runtime::read_file(answer));
  if (found.contains("reason"))
    throw Error(
        fmt::format("the first schedule does not run: {}", found.at("reason").get<std::string>()));
  setup.steps = found.at("steps").get<std::int64_t>();
  setup.state_hash = found.at("state_hash").get<std::string>();
}

Setup set_up(const Session& session, const TuneCall& call) {
  check_backend(call.execution.building.backend, {"openmp"});
  Setup setup;
  setup.chosen = choose_machine(session, call.execution.machine);
  if (!setup.chosen.machine.step_kernel())
    throw WrongCall(fmt::format("`{}` has no step kernel to tune", setup.chosen.name));
  setup.size = call.execution.size.empty()
                   ? setup.chosen.size
                   : parse_size(call.execution.size, setup.chosen.machine.dimension);
  setup.program = build_program(setup.chosen.machine, call.execution.building).machine;
  setup.genes = plan::genes(setup.program);
  setup.compiler = usable_compiler(call.execution.building.compiler);
  setup.threads = call.execution.threads > 0 ? call.execution.threads : runtime::host().threads;
  return setup;
}

tune::Problem problem_of(const TuneCall& call, const Setup& setup) {
  tune::Problem problem;
  problem.machine = setup.chosen.name;
  problem.program_hash = om::program_hash(setup.program);
  problem.numbers = passes::name(call.execution.building.numbers);
  problem.element = om::name(setup.chosen.precision);
  problem.backend = call.execution.building.backend;
  problem.compiler = runtime::find_toolchain(setup.compiler).version;
  problem.threads = setup.threads;
  problem.size = runtime::size_text(setup.size);
  problem.host = runtime::host().name;
  problem.host_fingerprint = runtime::fingerprint(runtime::host());
  problem.genes = setup.genes;
  return problem;
}

tune::Space space_of(const TuneCall& call, const Setup& setup) {
  const auto canonical = [&setup](const plan::Genome& genome) {
    return plan::canonical(setup.program, setup.genes, genome);
  };
  tune::Space space{setup.genes, {}, canonical};
  for (const std::string& schedule : {call.execution.building.schedule, std::string("default")}) {
    const auto genome =
        canonical(plan::genome_of(setup.genes, choose_schedule(setup.program, schedule)));
    if (space.starts.empty() || space.starts.front() != genome) space.starts.push_back(genome);
  }
  return space;
}

/// The line that tells how far the tuning is, rewritten in place on a terminal.
class Watch {
 public:
  Watch(const TuneCall& call, double started) : call_(call), started_(started) {}
  ~Watch() {
    if (shown_ && terminal_) fmt::print(stderr, "\n");
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void tell(const tune::TunerEvent& event, double now) {
    ++measured_;
    failed_ += !event.measurement.ok();
    ++births_[event.birth.method];
    const auto best = event.history.best();
    const bool better = best && event.history.score(*best) > best_;
    if (better) best_ = event.history.score(*best);
    if (terminal_ || better) show(event.history, now);
  }

 private:
  void show(const tune::History& history, double now) {
    shown_ = true;
    std::string births;
    for (const auto& [method, count] : births_) births += fmt::format(" {} {}", count, method);
    const double first = history.ok(0) ? history.score(0) : best_;
    const std::string left =
        call_.minutes > 0
            ? fmt::format(" | {} left", runtime::duration_text(
                                            std::max(0.0, 60 * call_.minutes - (now - started_))))
            : fmt::format(" of {}", call_.budget);
    fmt::print(stderr, "{}{}{} individuals | best {}, {:.3f} of the first | born:{} | {} failed{}",
               terminal_ ? "\r\033[K" : "", measured_, call_.minutes > 0 ? "" : left,
               runtime::speed_text(best_), best_ / first, births, failed_,
               call_.minutes > 0 ? left : "");
    if (!terminal_) fmt::print(stderr, "\n");
  }

  const TuneCall& call_;
  double started_;
  bool terminal_ = isatty(STDERR_FILENO) != 0, shown_ = false;
  std::size_t measured_ = 0, failed_ = 0;
  double best_ = 0;
  std::map<std::string, int> births_;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Champion and default, measured in alternation.
struct Final {
  tune::Measurement champion, start;
  [[nodiscard]] bool champion_wins() const {
    return champion.ok() && start.ok() &&
           champion.score - start.score >
               std::hypot(champion.deviation, start.deviation) /
                   std::sqrt(static_cast<double>(champion.samples.size()));
  }
};

Final side_by_side(tune::ProcessEvaluator& evaluator, const plan::Genome& champion,
                   const plan::Genome& start) {
  std::vector<double> of_champion, of_start;
  for (int round = 0; round < kRounds; ++round)
    for (auto [genome, samples] : {std::pair(&champion, &of_champion), {&start, &of_start}}) {
      const tune::Measurement measurement = evaluator.time(*genome);
      if (!measurement.ok()) return {tune::failed(measurement.reason), {}};
      samples->insert(samples->end(), measurement.samples.begin(), measurement.samples.end());
    }
  return {tune::measured(std::move(of_champion)), tune::measured(std::move(of_start))};
}

int tell_result(const TuneCall& call, const Setup& setup, const tune::History& history,
                std::size_t measured, const plan::Genome& champion, const Final& final) {
  const bool wins = final.champion_wins();
  const std::string letters = plan::letters_of(setup.genes, champion);
  if (call.execution.json) {
    const Json result = {{"app", setup.chosen.name},
                         {"dim", setup.program.dimension},
                         {"size", setup.size},
                         {"strategy", call.strategy},
                         {"seed", call.seed},
                         {"measured", measured},
                         {"individuals", history.size()},
                         {"genome", letters},
                         {"gene_table_hash", plan::gene_table_hash(setup.genes)},
                         {"champion_cell_updates_per_second", final.champion.score},
                         {"default_cell_updates_per_second", final.start.score},
                         {"faster", wins}};
    fmt::print("{}\n", result.dump(2));
    return kSuccess;
  }
  fmt::print("side by side: champion {}, default {}: {:.3f} times\n",
             runtime::speed_text(final.champion.score), runtime::speed_text(final.start.score),
             final.champion.score / final.start.score);
  if (wins)
    fmt::print("--schedule genome:{}\n", letters);
  else
    fmt::print("the default schedule stays\n");
  return kSuccess;
}

int tune_machine(const Session& session, const TuneCall& call) {
  if (call.budget == 0 && call.minutes == 0)
    throw WrongCall("how long? `--budget N` individuals or `--minutes M`");
  Setup setup = set_up(session, call);
  const tune::Space space = space_of(call, setup);
  // Complains of the strategy before anything is written.
  as_wrong_call([&] { (void)tune::Search(space, call.strategy, call.seed); });
  tune::Database database(call.database.empty() ? default_database()
                                                : std::filesystem::path(call.database));
  const runtime::TemporaryFolder scratch;
  find_reference(call, scratch, setup);
  const auto problem = database.add(problem_of(call, setup));
  tune::ProcessEvaluator evaluator(command_of(call, setup), scratch.path(),
                                   {.builds = static_cast<std::size_t>(runtime::host().threads)});
  database.each(problem, 0, [&](const tune::Individual& individual) {
    evaluator.know(individual.measurement.code_hash, individual.measurement);
  });

  const runtime::StopSignals signals(true);
  const double started = now();
  Watch watch(call, started);
  tune::TunerSettings settings;
  settings.strategy = call.strategy;
  settings.seed = call.seed;
  settings.budget = call.budget > 0 ? static_cast<std::size_t>(call.budget) : SIZE_MAX;
  settings.command = session.command;
  settings.version = runtime::kVersion;
  settings.stop = [&] {
    return signals.received() != 0 || (call.minutes > 0 && now() > started + 60 * call.minutes);
  };
  settings.watch = [&](const tune::TunerEvent& event) { watch.tell(event, now()); };
  tune::Tuner tuner(database, problem, space, std::move(settings));
  const std::size_t measured = tuner.run(evaluator);
  const auto best = tuner.history().best();
  if (!best) throw Error("no individual succeeded");
  const plan::Genome champion = tuner.history().genome(*best);
  return tell_result(call, setup, tuner.history(), measured, champion,
                     side_by_side(evaluator, champion, space.starts.back()));
}

}  // namespace

void declare_tune(CLI::App& command, Session& session) {
  const auto call = std::make_shared<TuneCall>();
  declare_execution(command, call->execution);
  command.add_option("--strategy", call->strategy, "how to search; anneal")->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--budget",
          [call](const std::string& text) { call->budget = parse_count("--budget", text); },
          "individuals to measure")
      ->type_name("N");
  command
      .add_option_function<std::string>(
          "--minutes",
          [call](const std::string& text) { call->minutes = parse_positive("--minutes", text); },
          "or so long")
      ->type_name("M");
  command.add_option("--database", call->database, "where all individuals are kept")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--seed",
          [call](const std::string& text) {
            call->seed = static_cast<std::uint64_t>(parse_count("--seed", text, 0));
          },
          "of all random choices; 1")
      ->type_name("S");
  command.callback(
      [&session, call] { session.chosen = [&, call] { return tune_machine(session, *call); }; });
}

}  // namespace paraiso::cli
