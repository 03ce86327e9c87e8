#include "cli/tuning/tuning.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/call/turns.hpp"
#include "cli/prepared/divided_grid.hpp"
#include "cli/prepared/tuning_problem.hpp"
#include "cli/tuning/worker_task.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"
#include "paraiso/runtime/build/host_lock.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/tune/evaluate/failure_folder.hpp"
#include "paraiso/tune/evaluate/worker_answer.hpp"

namespace paraiso::cli {

namespace {

constexpr double kEmitSeconds = 60;
// The share of the memory available when the tuning starts that individuals may take.
constexpr double kMemoryShare = 0.8;
// A worker's time apart from compiling and checking: it generates code, and waits for its turn.
constexpr double kOtherSeconds = 60;

// Not the program's path, which may hold another version by now.
constexpr const char* kThisProgram = "/proc/self/exe";

/// The call of `emit` for a schedule of the tuned program, as a user could repeat it.
std::vector<std::string> emit_call(const TuneCall& call, const Tuning& tuning,
                                   const std::string& schedule,
                                   const std::filesystem::path& folder) {
  const Execution& e = call.execution;
  std::vector<std::string> words = {kThisProgram, "emit", e.machine.machine};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--dim",
      e.size.empty() ? e.machine.dimension : std::to_string(tuning.tuned.program.dimension));
  add("--precision", e.machine.precision);
  add("--problem", e.machine.problem);
  for (const std::string& choice : e.machine.choose) add("--choose", choice);
  add("--backend", e.building.backend);
  add("--numbers", passes::name(e.building.numbers));
  add("--fuse", std::to_string(tuning.tuned.fusion.steps));
  if (e.building.hold_time_step) words.push_back("--hold-time-step");
  add("--target", tuning.tuned.problem.target);
  add("--schedule", schedule);
  add("--output", folder.string());
  return words;
}

/// A worker's task with one schedule; what was chosen here, it need not choose again.
WorkerTask task_of(const TuneCall& call, const Tuning& tuning, const plan::Genome& genome,
                   const std::filesystem::path& answer) {
  const tune::TunedProgram& tuned = tuning.tuned;
  WorkerTask task;
  task.execution = call.execution;
  task.execution.json = false;
  task.execution.size = runtime::size_text(tuned.size);
  task.execution.threads = tuned.problem.threads;
  task.execution.parameters = tuning.parameters;
  task.execution.building.fuse = tuned.fusion.steps;
  task.execution.building.target = tuned.problem.target;
  task.execution.building.compiler = tuning.compiler;
  task.execution.building.given = tuned.schedule(genome);
  task.answer = answer.string();
  task.tuner = getpid();
  task.repeats = call.repeats;
  task.check_seconds = static_cast<int>(std::min(std::ceil(call.time_limit), 1e9));
  task.compile_seconds = call.compile_limit;
  return task;
}

/// Writes the task to `file`, and gives the call of its worker.
std::vector<std::string> worker_call(const WorkerTask& task, const std::filesystem::path& file) {
  write_task(task, file);
  return {kThisProgram, "worker", file.string()};
}

ScheduledProgram scheduled_of(const Tuning& tuning, const Building& building) {
  const tune::TunedProgram& tuned = tuning.tuned;
  return {*tuned.backend,
          tuned.program,
          machine_lookup(building),
          tuning.genes,
          tuned.on_ranks() ? tuned.part : tuned.size,
          tuning.sharing};
}

/// Throws WrongCall if ranks would exchange before each step after all.
void require_one_exchange(const Prepared& prepared) {
  const std::string why = why_exchanged_singly(prepared);
  if (!why.empty())
    throw WrongCall(fmt::format("`--fuse {}` is not for these ranks of `{}`: {}",
                                prepared.fusion.steps, prepared.chosen.name, why));
}

/// The complaint of the worker with the default schedule, or else how it ended.
std::string why_not_run(const runtime::ProgramResult& result, double seconds,
                        double check_seconds) {
  const bool complains = result.status != 0 && result.status < 128 && !result.output.empty();
  return complains ? "\n" + result.output
                   : " " + tune::why_it_ended(result, seconds, check_seconds);
}

/// For genomes with so many genes at their end whose alleles are all legal.
std::function<plan::Genome(const plan::Genome&)> but_last(
    std::function<plan::Genome(const plan::Genome&)> canonical, std::size_t count) {
  return [canonical = std::move(canonical), count](const plan::Genome& genome) {
    const auto last = genome.end() - static_cast<std::ptrdiff_t>(count);
    plan::Genome result = canonical({genome.begin(), last});
    result.insert(result.end(), last, genome.end());
    return result;
  };
}

}  // namespace

Tuning set_up(const Session& session, const TuneCall& call) {
  const Building& building = call.execution.building;
  const runtime::Backend& backend = backend_of(building);
  Prepared names = read_names(session, call.execution, "tune");
  if (call.skew && backend.chooses_device)
    throw WrongCall("`--skew` is for processors: on devices no storage lies shifted");
  names.skew = call.skew;
  divide_grid(names, session, call.execution);
  const bool singly = ranks_of(names) > 1 && takes_single_steps(names);
  if (singly) require_one_exchange(names);
  Tuning tuning;
  tune::TunedProgram& tuned = tuning.tuned;
  tuned.backend = &backend;
  tuned.problem = problem_of(names, building);
  tuned.genes = all_genes(names);
  tuned.size = names.size;
  tuned.program = std::move(names.program);
  tuned.fusion = std::move(names.fusion);
  if (singly) tuned.fusion.kernel.clear();
  tuning.genes = std::move(names.genes);
  tuning.sharing = names.sharing;
  tuned.canonical = backend.canonical(tuned.program, tuned.kernel().name);
  if (ranks_of(names) > 1) {
    tuned.canonical = plan::canonical_on_ranks(std::move(tuned.canonical));
    tuned.part = largest_part(names);
  }
  if (call.skew)
    tuned.canonical = but_last(std::move(tuned.canonical), plan::skew_genes(tuned.program).size());
  tuned.machine = machine_with(building, names.threads);
  const ScheduledProgram scheduled = scheduled_of(tuning, building);
  tuned.untuned = untuned_schedule(scheduled);
  tuned.default_genome = tuned.genome(tuned.untuned);
  tuned.first = call.from.empty() ? tuned.default_genome
                                  : tuned.genome(choose_schedule(scheduled, call.from, "--from "));
  tuning.chosen = std::move(names.chosen);
  tuning.compiler = names.compiler;
  tuning.parameters = std::move(names.parameters);
  return tuning;
}

tune::WorkerLimits limits_of(const TuneCall& call) {
  tune::WorkerLimits limits;
  limits.builds = static_cast<std::size_t>(runtime::host().threads);
  limits.build_seconds = build_seconds(call);
  limits.time_seconds = call.time_limit;
  limits.bytes = kMemoryShare * runtime::available_memory().bytes;
  return limits;
}

double build_seconds(const TuneCall& call) {
  return call.compile_limit + call.time_limit + kOtherSeconds;
}

void find_reference(const TuneCall& call, const runtime::TemporaryFolder& scratch, Tuning& tuning) {
  const auto answer = scratch.path() / "reference.json";
  WorkerTask task = task_of(call, tuning, tuning.tuned.default_genome, answer);
  task.phase = "reference";
  const runtime::HostLock beside_others(runtime::host_lock_file(), runtime::HostLock::Mode::shared,
                                        tell_once("this host"));
  const auto device = take_device(call.execution.building.backend);
  const double seconds = build_seconds(call) + call.time_limit;
  const auto result = runtime::run_program(
      worker_call(task, scratch.path() / "reference.task"), {},
      {.seconds = seconds, .bytes = limits_of(call).bytes, .processes = limits_of(call).processes});
  const auto found = tune::worker_answer(result, answer);
  if (!found)
    throw Error(fmt::format("the default schedule does not run:{}",
                            why_not_run(result, seconds, call.time_limit)));
  if (found->contains("reason"))
    throw Error(fmt::format("the default schedule does not run: {}",
                            found->at("reason").get<std::string>()));
  tuning.steps = found->at("steps").get<std::int64_t>();
  tuning.state_hash = found->at("state_hash").get<std::string>();
}

std::optional<plan::Schedule> named_schedule(const TuneCall& call, const Tuning& tuning) {
  const std::string& schedule = call.execution.building.schedule;
  if (schedule.empty()) return std::nullopt;
  return choose_schedule(scheduled_of(tuning, call.execution.building), schedule);
}

tune::Space space_of(const TuneCall& call, const Tuning& tuning,
                     const std::vector<plan::Schedule>& similar) {
  const tune::TunedProgram& tuned = tuning.tuned;
  tune::Space space{tuned.problem.genes, {tuned.first}, tuned.canonical};
  if (!tuning.only.empty()) space.starts = tuning.only;
  if (!call.from.empty() || !tuning.only.empty()) return space;
  space.starts = tune::starts_of(tuned, named_schedule(call, tuning), tuning.predicted, similar);
  return space;
}

tune::WorkerCommand command_of(const TuneCall& call, const Tuning& tuning) {
  return [&call, &tuning](const tune::WorkerOrder& asked) {
    WorkerTask task = task_of(call, tuning, asked.genome, asked.answer);
    task.phase = asked.phase == tune::WorkerOrder::Phase::build ? "build" : "time";
    task.expected = tuning.state_hash;
    task.steps = tuning.steps;
    task.best = asked.best;
    return worker_call(task, asked.task);
  };
}

std::function<std::filesystem::path(const plan::Genome&)> keeper_of(
    const TuneCall& call, const Tuning& tuning, const std::filesystem::path& database,
    std::int64_t problem) {
  return [&call, &tuning, problem,
          failures = tune::FailureFolder(database)](const plan::Genome& genome) {
    const std::string schedule = tuning.tuned.schedule_text(genome);
    const std::string name = fmt::format("{}-{}", problem, hex(fnv1a(schedule)));
    return failures.keep(name, [&](const std::filesystem::path& folder) {
      return runtime::run_program(emit_call(call, tuning, schedule, folder), {},
                                  runtime::ProgramLimits{.seconds = kEmitSeconds})
                 .status == 0;
    });
  };
}

}  // namespace paraiso::cli
