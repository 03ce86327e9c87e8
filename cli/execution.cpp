#include "cli/execution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/options.hpp"
#include "cli/tuning_problem.hpp"
#include "cli/values.hpp"
#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/om/verify.hpp"
#include "paraiso/plan/search/fusion_depth.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/system/target.hpp"

namespace paraiso::cli {
namespace {

constexpr const char* kInterpreter = "interpreter";  // what all backends are compared with

constexpr int kMostThreads = 4096;

/// Tries the assignments where a mistake costs nothing: on a grid of one cell, before any compiler
/// runs.
void check_parameters(const om::Machine& program, const std::vector<std::string>& set) {
  if (set.empty()) return;
  const auto trial = runtime::interpreter_instance(
      program, std::vector<std::int64_t>(static_cast<std::size_t>(program.dimension), 1));
  as_wrong_call([&] {
    for (const std::string& assignment : set) runtime::set_parameter(*trial, assignment);
  });
}

void start_interpreter(Prepared& prepared, const std::vector<std::int64_t>& size) {
  prepared.instance = runtime::interpreter_instance(prepared.program, size);
  prepared.threads = 1;
}

void choose_code(Prepared& prepared, const Execution& execution,
                 const std::vector<std::int64_t>& size) {
  const Building& building = execution.building;
  prepared.target = runnable_target(building);
  prepared.compiler = usable_compiler(building);
  prepared.threads = execution.threads > 0 ? execution.threads : runtime::host().threads;
  const auto problem = [&] {
    return problem_of(prepared.chosen, prepared.program, prepared.fusion, execution,
                      prepared.compiler, prepared.threads, size);
  };
  prepared.schedule = choose_for_grid(prepared.program, building.schedule, machine_lookup(building),
                                      problem, execution.database);
  prepared.plan = backend_of(building).make_plan(prepared.program, prepared.schedule.schedule);
}

runtime::Library build(Prepared& prepared) {
  runtime::CompileOptions options;
  options.compiler = prepared.compiler;
  options.target = prepared.target.name;
  options.threads = prepared.threads;
  const auto& backend = backend_of(prepared.record.backend);
  runtime::Library library = backend.compile({&*prepared.plan, 1}, options).front();
  prepared.compile_seconds = library.compile_seconds();
  prepared.record.compiler = library.compiler_version();
  prepared.record.schedule_hash = library.schedule_hash();
  return library;
}

/// On standard output, which with `--json` is for the one object.
void say(const Execution& execution, const std::string& text) {
  if (execution.json)
    say_aside(text);
  else
    fmt::print("{}", text);
}

void say_memory(const Prepared& prepared, const Execution& execution,
                const std::vector<std::int64_t>& size, double bytes) {
  const runtime::MemoryLimit available = runtime::available_memory();
  std::string name = prepared.chosen.name;
  if (!prepared.chosen.problem.empty()) name += " " + prepared.chosen.problem;
  if (const std::string changes = prepared.chosen.choices.changes(); !changes.empty())
    name += ", " + changes;
  say(execution,
      fmt::format("{}: {} cells, {}; takes {} of {} {}\n", name, runtime::size_text(size),
                  om::name(prepared.chosen.precision), runtime::bytes_text(bytes),
                  runtime::bytes_text(available.bytes), available.source));
}

}  // namespace

void declare_backend(CLI::App& command, Building& building) {
  command
      .add_option("--backend", building.backend,
                  fmt::format("{} (default) or {}", fmt::join(runtime::backend_names(), ", "),
                              kInterpreter))
      ->type_name("B");
}

void declare_numbers(CLI::App& command, Building& building) {
  command
      .add_option_function<std::string>(
          "--numbers",
          [&building](const std::string& text) {
            const auto numbers = passes::parse_numbers(text);
            if (!numbers) unknown_name("numbers mode", text, {"strict", "fma", "fast"});
            building.numbers = *numbers;
          },
          "strict, fma (default) or fast")
      ->type_name("MODE");
}

void declare_schedule(CLI::App& command, Building& building) {
  command
      .add_option("--schedule", building.schedule,
                  "default, a file, genome:LETTERS, or tuned (run, bench)")
      ->type_name("S");
  declare_planned_machine(command, building.planned_for);
}

void declare_target(CLI::App& command, Building& building) {
  command.add_option("--target", building.target, "native (default), x86-64-v3, ...")
      ->type_name("T");
}

void declare_fusion(CLI::App& command, Building& building) {
  command
      .add_option_function<std::string>(
          "--fuse",
          [&building](const std::string& text) {
            if (text == "auto")
              building.fuse.reset();
            else
              building.fuse =
                  static_cast<int>(parse_count("--fuse", text, 1, om::kLargestStep + 1));
          },
          "steps fused into one kernel, or auto; default 1")
      ->type_name("N");
  command.add_flag("--hold-time-step", building.hold_time_step,
                   "with --fuse: a new time step after N steps only");
}

namespace {

void declare_threads(CLI::App& command, Execution& execution) {
  add_count(command, "--threads", execution.threads, "default: all that this process may use", 1,
            kMostThreads);
}

}  // namespace

void declare_execution(CLI::App& command, Execution& execution) {
  declare_machine(command, execution.machine);
  command.add_option("--size", execution.size, "cells per axis: 1024x1024")->type_name("NxM");
  // Not an option list of its own accord: `--set a=1 hydro` must not take `hydro`.
  command.add_option("--set", execution.set, "set a parameter; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  declare_backend(command, execution.building);
  declare_threads(command, execution);
  declare_schedule(command, execution.building);
  declare_numbers(command, execution.building);
  command.add_option("--compiler", execution.building.compiler, "g++ or clang++")->type_name("C");
  declare_target(command, execution.building);
  declare_fusion(command, execution.building);
  command.add_flag("--json", execution.json, "one JSON object on standard output");
}

void declare_database(CLI::App& command, Execution& execution) {
  command.add_option("--database", execution.database, "of tuning results; the user's")
      ->type_name("FILE");
}

void check_backend(std::string_view backend, const std::vector<std::string>& have) {
  if (std::find(have.begin(), have.end(), backend) != have.end()) return;
  if (backend == "cuda" || backend == "opencl")
    throw WrongCall(fmt::format("backend `{}` is not built in this version: there is {}", backend,
                                list_text(have)));
  unknown_name("backend", backend, have);
}

const runtime::Backend& backend_of(std::string_view name) {
  check_backend(name, runtime::backend_names());
  return *runtime::find_backend(name);
}

plan::Target target_of(const Building& building) {
  return as_wrong_call([&] { return runtime::find_target(building.target); });
}

plan::Target runnable_target(const Building& building) {
  plan::Target target = target_of(building);
  as_wrong_call([&] { runtime::require_runnable(target); });
  return target;
}

std::string usable_compiler(const Building& building) {
  if (!building.compiler.empty()) return building.compiler;
  // Each survey builds a library with every compiler: once a process.
  static const std::vector<runtime::ToolchainReport> reports = runtime::survey_toolchains();
  const std::string own = target_of(building).compiler;
  std::string usable;
  for (const runtime::ToolchainReport& report : reports)
    if (report.usable && (usable.empty() || report.name == own)) usable = report.name;
  return usable.empty() ? runtime::find_toolchain(own).name
                        : usable;  // throws, with what to install
}

MachineLookup machine_lookup(const Building& building) {
  return [&building] {
    return planned_machine(building.planned_for, target_of(building),
                           [&] { return usable_compiler(building); });
  };
}

plan::MachineModel machine_with(const Building& building, int threads) {
  plan::MachineModel machine = machine_lookup(building)();
  machine.threads = threads;
  return machine;
}

passes::Fused build_program(const om::Machine& machine, const Building& building,
                            std::string_view after) {
  if (building.hold_time_step && (!building.fuse || building.fuse == 1))
    throw WrongCall(
        "`--hold-time-step` needs `--fuse N` with N > 1: it holds the time step for N steps");
  const om::Machine program = passes::prepare(machine, building.numbers);
  for (const Diagnostic& note : passes::settled_annotations(program)) say_aside(note.text() + "\n");
  const int steps = building.fuse
                        ? *building.fuse
                        : plan::fusion_depth(program, plan::cautious(machine_lookup(building)()));
  return as_wrong_call(
      [&] { return passes::fuse(program, steps, building.hold_time_step, after); });
}

plan::Plan plan_without_grid(const om::Machine& program, const Building& building) {
  return backend_of(building).make_plan(
      program, choose_schedule(program, building.schedule, machine_lookup(building)));
}

namespace {

/// All that is known before anything is planned.
Prepared read_names(const Session& session, const Execution& execution) {
  Prepared prepared;
  prepared.chosen = choose_machine(session, execution.machine);
  prepared.size = execution.size.empty()
                      ? prepared.chosen.size
                      : parse_size(execution.size, prepared.chosen.machine.dimension);
  if (!prepared.chosen.machine.step_kernel())
    throw WrongCall(fmt::format("`{}` has no step kernel to run", prepared.chosen.name));
  passes::Fused fused = build_program(prepared.chosen.machine, execution.building);
  prepared.record.program_hash = om::program_hash(passes::unfused(fused));
  prepared.program = std::move(fused.machine);
  prepared.fusion = std::move(fused.fusion);
  check_parameters(prepared.program, execution.set);
  prepared.record.command = session.command;
  prepared.record.choices = prepared.chosen.choices;
  prepared.record.numbers = passes::name(execution.building.numbers);
  prepared.record.backend = execution.building.backend;
  return prepared;
}

}  // namespace

Prepared choose_without_building(const Session& session, const Execution& execution) {
  (void)backend_of(execution.building);
  Prepared prepared = read_names(session, execution);
  choose_code(prepared, execution, prepared.size);
  return prepared;
}

Prepared prepare_execution(
    const Session& session, const Execution& execution,
    const std::function<double(const om::Machine&, const std::vector<std::int64_t>&)>& more_bytes) {
  auto have = runtime::backend_names();
  have.emplace_back(kInterpreter);
  check_backend(execution.building.backend, have);
  (void)target_of(execution.building);  // there is one of that name
  Prepared prepared = read_names(session, execution);
  const std::vector<std::int64_t>& size = prepared.size;
  const auto fit = [&](const auto& instance_bytes) {
    const auto bytes = [&](const std::vector<std::int64_t>& cells) {
      return instance_bytes(cells) + more_bytes(prepared.program, cells);
    };
    runtime::require_memory(size, bytes);
    prepared.bytes = instance_bytes(size);
    say_memory(prepared, execution, size, bytes(size));
  };
  if (execution.building.backend == kInterpreter) {
    fit([&](const auto& cells) { return runtime::interpreter_bytes(prepared.program, cells); });
    start_interpreter(prepared, size);
  } else {
    choose_code(prepared, execution, size);
    // Before the compiler runs: a grid that does not fit needs none.
    fit([&](const auto& cells) { return codegen::solver_bytes(*prepared.plan, cells); });
    const runtime::Library library = build(prepared);
    say(execution,
        fmt::format("schedule: {}, {}\n", prepared.schedule.kind, prepared.schedule.source));
    say(execution, fmt::format("code: by {} for {}\n", prepared.compiler, prepared.target.text()));
    prepared.instance = library.instance(size);
  }
  return prepared;
}

}  // namespace paraiso::cli
