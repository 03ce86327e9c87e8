// `paraiso worker`: one individual of a tuning, in a process that may crash. Called by `tune`,
// never by hand, and not shown in the help.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/values.hpp"
#include "cli/execution/execution.hpp"
#include "cli/execution/measuring.hpp"
#include "cli/tuning/worker_task.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/backend/code_hash.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/fields/summary.hpp"
#include "paraiso/runtime/process/process_session.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/database/measurement.hpp"
#include "paraiso/tune/evaluate/worker_answer.hpp"
#include "paraiso/verify/tolerance.hpp"
#include "paraiso/verify/verify_backend.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

// The length of a repeat of the default; thirty of them, and the checks, take about two seconds.
constexpr double kRepeatSeconds = 0.05;
// An individual this many times slower is timed over fewer steps.
constexpr double kSlow = 2;
// The grid for checking is small, odd and different along each axis.
constexpr std::int64_t kCheckedCells[] = {13, 7, 5, 3};
constexpr std::int64_t kCheckedParts = 3;  // of it along an axis, at most

/// No core files; and neither the worker nor its compiler outlives the tuner.
void prepare_worker(pid_t tuner) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  runtime::end_with_parent(tuner);
}

std::string state_hash(runtime::Instance& instance) {
  std::string text;
  for (const auto& field : runtime::summarise_fields(instance)) text += field.hash;
  for (const auto& scalar : runtime::summarise_scalars(instance))
    text += scalar.value.text() + "\n";
  return hex(fnv1a(text));
}

std::vector<std::int64_t> small_size(int dimension) {
  std::vector<std::int64_t> size;
  for (int axis = 0; axis < dimension; ++axis)
    size.push_back(kCheckedCells[std::min<std::size_t>(axis, std::size(kCheckedCells) - 1)]);
  return size;
}

/// Across the same axes as the task's grid is divided, into few parts: three are enough for one to
/// lie between two others.
om::Orthotree small_division(const WorkerTask& task, const om::Cell& small) {
  const om::Cell size = parse_size(task.execution.size, static_cast<int>(small.size()));
  const om::Orthotree tree =
      choose_division(task.execution.division, size, 0, task.execution.building.planned_for);
  std::vector<std::int64_t> parts = om::parts_along_axes(tree, small.size());
  for (std::size_t axis = 0; axis < small.size(); ++axis)
    parts[axis] = std::min({parts[axis], kCheckedParts, small[axis]});
  return om::regular_division(small, parts);
}

/// Generates, compiles, and compares with the interpreter on a small grid.
Json build(const Session& session, const WorkerTask& task) {
  const ChosenMachine chosen = choose_machine(session, task.execution.machine, task.execution.size);
  const passes::Fused fused = build_program(chosen.machine, task.execution.building);
  runtime::CompileOptions options;
  options.compiler = task.execution.building.compiler;
  options.target = task.execution.building.target;
  options.threads = task.execution.threads;
  options.seconds = task.compile_seconds;
  const plan::Plan plan = plan_of(fused, task.execution.building);
  const runtime::Library library =
      backend_of(task.execution.building).compile({&plan, 1}, options).front();
  verify::VerifyOptions verify;
  verify.backend = &backend_of(task.execution.building);
  verify.sizes = {small_size(fused.machine.dimension)};
  if (!chosen.problem.empty()) verify.problems = {chosen.problem};
  verify.fusion = fused.fusion;
  if (is_divided(task.execution.division))
    verify.divide = [&](const om::Cell& small) { return small_division(task, small); };
  alarm(static_cast<unsigned>(task.check_seconds));  // ends this process if it hangs
  const auto difference = verify::verify_library(library, verify);
  alarm(0);
  if (difference) return {{"reason", "wrong answer: " + split(difference->text(), '\n')[0]}};
  return {{"schedule_hash", library.schedule_hash()},
          {"code_hash", runtime::code_hash(library.source())},
          {"compile_seconds", library.compile_seconds()}};
}

struct Checked {
  std::string state_hash;
  double seconds = 0;
};

/// Takes `steps` steps from the problem's beginning. Throws Error if the state has not moved or has
/// a NaN.
Checked run_once(const Prepared& prepared, runtime::Stepper& stepper, std::int64_t steps) {
  start_problem(prepared);
  const std::string before = state_hash(*prepared.instance);
  const double seconds = seconds_of([&] { stepper.take(0, steps); });
  if (const auto place = runtime::find_nan(*prepared.instance))
    throw Error(fmt::format("`{}` is NaN", place->name));
  std::string after = state_hash(*prepared.instance);
  if (after == before) throw Error("the state did not move");
  return {std::move(after), seconds};
}

/// The steps of a repeat, given that `steps` took `seconds`.
std::int64_t timed_steps(std::int64_t steps, double seconds, const runtime::Stepper& stepper) {
  if (seconds < kSlow * kRepeatSeconds) return steps;
  const double strides = static_cast<double>(steps / stepper.stride()) * kRepeatSeconds / seconds;
  return stepper.stride() * std::max<std::int64_t>(1, std::llround(strides));
}

Prepared prepare(const Session& session, const WorkerTask& task) {
  return prepare_execution(session, task.execution, [](const auto&, const auto&) { return 0.0; });
}

/// The result that the others are compared with. First built here, within the limits of an
/// individual.
Json reference(const Session& session, const WorkerTask& task) {
  if (Json built = build(session, task); built.contains("reason")) return built;
  const Prepared prepared = prepare(session, task);
  runtime::Stepper stepper(*prepared.instance, prepared.fusion);
  start_problem(prepared);
  const std::int64_t steps = find_steps(stepper, kRepeatSeconds);
  return {{"steps", steps}, {"state_hash", run_once(prepared, stepper, steps).state_hash}};
}

Json time(const Session& session, const WorkerTask& task) {
  const Prepared prepared = prepare(session, task);
  runtime::Stepper stepper(*prepared.instance, prepared.fusion);
  const Checked checked = run_once(prepared, stepper, task.steps);
  const bool exact = verify::has_own_bits(backend_of(task.execution.building), prepared.program);
  if (exact && checked.state_hash != task.expected)
    return {{"reason", "wrong answer: the state is not that of the default schedule"}};
  const std::int64_t steps = timed_steps(task.steps, checked.seconds, stepper);
  const double updates =
      runtime::cell_count(prepared.instance->size()) * static_cast<double>(steps);
  std::vector<double> samples;
  for (int repeat = 0; repeat < task.repeats && !tune::cannot_win(samples, task.best); ++repeat) {
    start_problem(prepared);
    samples.push_back(updates / seconds_of([&] { stepper.take(0, steps); }));
  }
  return {{"samples", samples}};
}

int work(const Session& session, const WorkerTask& task) {
  prepare_worker(task.tuner);
  Json answer;
  try {
    answer = task.phase == "build"       ? build(session, task)
             : task.phase == "reference" ? reference(session, task)
                                         : time(session, task);
  } catch (const WrongCall&) {
    throw;
  } catch (const runtime::CannotWrite& error) {
    answer = {{"cannot_write", error.diagnostics()[0].message}};
  } catch (const Error& error) {
    answer = {{"reason", error.diagnostics()[0].message}};
  } catch (const std::bad_alloc&) {
    answer = {{"reason", "out of memory"}};
  }
  try {  // text quoted in a reason need not be UTF-8
    runtime::write_file(task.answer, json_text(answer, -1));
  } catch (const runtime::CannotWrite&) {
    return tune::kCannotAnswer;
  }
  return kSuccess;
}

}  // namespace

void declare_worker(CLI::App& command, Session& session) {
  const auto file = std::make_shared<std::string>();
  command.group("");  // not in the help
  command.add_option("TASK", *file)->required();
  command.callback(
      [&session, file] { session.chosen = [&, file] { return work(session, read_task(*file)); }; });
}

}  // namespace paraiso::cli
