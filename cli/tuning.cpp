#include "cli/tuning.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/tuning_problem.hpp"
#include "cli/values.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/plan/make/canonical.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/runtime/build/host_lock.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/run/progress.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/tune/evaluate/failure_folder.hpp"
#include "paraiso/tune/evaluate/worker_answer.hpp"

namespace paraiso::cli {

namespace {

constexpr double kEmitSeconds = 60;
// What a worker does beside compiling and checking: it generates, and waits for its turn.
constexpr double kOtherSeconds = 60;

/// A call of the subcommand about the program that is tuned.
std::vector<std::string> call_about(const std::string& subcommand, const TuneCall& call,
                                    const Tuning& tuning, const std::string& schedule) {
  const Execution& e = call.execution;
  // Not the program's path, where another version may lie by now.
  std::vector<std::string> words = {"/proc/self/exe", subcommand, e.machine.machine};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--dim", e.machine.dimension);
  add("--precision", e.machine.precision);
  add("--problem", e.machine.problem);
  for (const std::string& choice : e.machine.choose) add("--choose", choice);
  add("--numbers", passes::name(e.building.numbers));
  add("--fuse", std::to_string(tuning.fusion.steps));
  if (e.building.hold_time_step) words.push_back("--hold-time-step");
  add("--target", tuning.problem.target);
  add("--schedule", schedule);
  return words;
}

/// The call of a worker, but for what an order says.
std::vector<std::string> worker_call(const TuneCall& call, const Tuning& tuning,
                                     const std::string& schedule) {
  auto words = call_about("worker", call, tuning, schedule);
  words.insert(words.end(), {"--size", runtime::size_text(tuning.size), "--threads",
                             std::to_string(tuning.problem.threads), "--compiler", tuning.compiler,
                             "--tuner", std::to_string(getpid()), "--check-seconds",
                             fmt::format("{:.0f}", std::ceil(call.time_limit)), "--compile-seconds",
                             fmt::format("{}", call.compile_limit)});
  for (const std::string& assignment : call.execution.set)
    words.insert(words.end(), {"--set", assignment});
  return words;
}

/// What the worker of the default schedule said where it complains, or else how it ended.
std::string why_not_run(const runtime::ProgramResult& result, double seconds,
                        double check_seconds) {
  const bool complains = result.status != 0 && result.status < 128 && !result.output.empty();
  return complains ? "\n" + result.output
                   : " " + tune::why_it_ended(result, seconds, check_seconds);
}

}  // namespace

const om::Kernel& Tuning::kernel() const { return timed_kernel(program, fusion); }

plan::Schedule Tuning::schedule(const plan::Genome& genome) const {
  return plan::overlaid(untuned, plan::schedule_of(problem.genes, genome));
}

plan::Genome Tuning::genome(const plan::Schedule& schedule) const {
  return canonical(plan::genome_of(problem.genes, schedule));
}

std::string Tuning::schedule_option(const plan::Genome& genome) const {
  const auto table = plan::genes(program);
  return fmt::format("genome:{}:{}", plan::gene_table_hash(table),
                     plan::letters_of(table, plan::genome_of(table, schedule(genome))));
}

Tuning set_up(const Session& session, const TuneCall& call) {
  const Building& building = call.execution.building;
  (void)backend_of(building);
  Tuning tuning;
  tuning.chosen = choose_machine(session, call.execution.machine);
  if (!tuning.chosen.machine.step_kernel())
    throw WrongCall(fmt::format("`{}` has no step kernel to tune", tuning.chosen.name));
  tuning.size = call.execution.size.empty()
                    ? tuning.chosen.size
                    : parse_size(call.execution.size, tuning.chosen.machine.dimension);
  passes::Fused fused = build_program(tuning.chosen.machine, building);
  tuning.program = std::move(fused.machine);
  tuning.fusion = std::move(fused.fusion);
  (void)runnable_target(building);
  tuning.compiler = usable_compiler(building);
  const int threads = call.execution.threads > 0 ? call.execution.threads : runtime::host().threads;
  tuning.problem = problem_of(tuning.chosen, tuning.program, tuning.fusion, call.execution,
                              tuning.compiler, threads, tuning.size);
  tuning.canonical = plan::Canonical(tuning.program, tuning.kernel().name);
  tuning.machine = machine_with(building, threads);
  tuning.untuned = untuned_schedule(tuning.program, machine_lookup(building)());
  tuning.default_genome = tuning.genome(tuning.untuned);
  tuning.first = call.from.empty()
                     ? tuning.default_genome
                     : tuning.genome(choose_schedule(tuning.program, call.from,
                                                     machine_lookup(building), "--from"));
  return tuning;
}

double build_seconds(const TuneCall& call) {
  return call.compile_limit + call.time_limit + kOtherSeconds;
}

std::string outcome_text(const tune::Measurement& measurement) {
  return measurement.ok() ? runtime::speed_text(measurement.score) : measurement.reason;
}

void find_reference(const TuneCall& call, const runtime::TemporaryFolder& scratch, Tuning& tuning) {
  const auto answer = scratch.path() / "reference.json";
  auto words = worker_call(call, tuning, tuning.schedule_option(tuning.default_genome));
  words.insert(words.end(), {"--phase", "reference", "--answer", answer.string()});
  const runtime::HostLock beside_others(runtime::host_lock_file(), runtime::HostLock::Use::shared);
  const double seconds = build_seconds(call) + call.time_limit;
  const auto result = runtime::run_program(words, {}, runtime::ProgramLimits{.seconds = seconds});
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

tune::Space space_of(const TuneCall& call, const Tuning& tuning,
                     const std::vector<plan::Schedule>& similar) {
  tune::Space space{tuning.problem.genes, {}, tuning.canonical};
  if (!call.from.empty()) {
    space.starts = {tuning.first};
    return space;
  }
  const auto add = [&](const plan::Genome& genome) {
    if (std::ranges::find(space.starts, genome) == space.starts.end())
      space.starts.push_back(genome);
  };
  const std::string& named = call.execution.building.schedule;
  if (!named.empty())
    add(tuning.genome(
        choose_schedule(tuning.program, named, machine_lookup(call.execution.building))));
  add(tuning.default_genome);
  if (!plan::kernel_genes(tuning.kernel()).forced.empty()) add(tuning.genome({}));
  for (const plan::Schedule& schedule : similar) add(tuning.genome(schedule));
  return space;
}

tune::WorkerCommand command_of(const TuneCall& call, const Tuning& tuning) {
  return [&call, &tuning](const tune::WorkerOrder& order) {
    auto words = worker_call(call, tuning, tuning.schedule_option(order.genome));
    const bool building = order.phase == tune::WorkerOrder::Phase::build;
    words.insert(
        words.end(),
        {"--phase", building ? "build" : "time", "--answer", order.answer.string(), "--expected",
         tuning.state_hash, "--steps", std::to_string(tuning.steps), "--repeat",
         std::to_string(call.repeats), "--best", fmt::format("{}", order.best)});
    return words;
  };
}

std::function<std::filesystem::path(const plan::Genome&)> keeper_of(
    const TuneCall& call, const Tuning& tuning, const std::filesystem::path& database,
    std::int64_t problem) {
  return [&call, &tuning, problem,
          failures = tune::FailureFolder(database)](const plan::Genome& genome) {
    const std::string schedule = tuning.schedule_option(genome);
    const std::string name = fmt::format("{}-{}", problem, hex(fnv1a(schedule)));
    return failures.keep(name, [&](const std::filesystem::path& folder) {
      auto words = call_about("emit", call, tuning, schedule);
      words.insert(words.end(), {"--output", folder.string()});
      return runtime::run_program(words, {}, runtime::ProgramLimits{.seconds = kEmitSeconds})
                 .status == 0;
    });
  };
}

}  // namespace paraiso::cli
