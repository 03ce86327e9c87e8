#include "cli/execution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "cli/card_memory.hpp"
#include "cli/depth_choice.hpp"
#include "cli/options.hpp"
#include "cli/prediction.hpp"
#include "cli/shared_choice.hpp"
#include "cli/start_instance.hpp"
#include "cli/tuning_problem.hpp"
#include "cli/values.hpp"
#include "cli/versioned_code.hpp"
#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/om/verify.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "paraiso/runtime/transport/world.hpp"

namespace paraiso::cli {
namespace {

constexpr int kMostThreads = 4096;

void start_interpreter(Prepared& prepared, const std::vector<std::int64_t>& size) {
  prepared.instance = runtime::interpreter_instance(prepared.program, size, prepared.tree);
  prepared.threads = 1;
}

void choose_code(Prepared& prepared, const Execution& execution) {
  const Building& building = execution.building;
  const runtime::Backend& backend = backend_of(building);
  if (!building.versions.file.empty()) return choose_versioned_code(prepared, building);
  if (building.given) {
    prepared.schedule = {*building.given, "given", "as ordered"};
  } else {
    const ScheduledProgram scheduled{
        backend,        prepared.program,       machine_lookup(building),
        prepared.genes, largest_part(prepared), prepared.sharing};
    prepared.schedule = choose_for_grid(
        scheduled, building.schedule, problems_of(prepared, building),
        [&] { return untuned_of(prepared, building); }, execution.database);
  }
  prepared.plan = backend.make_plan(prepared.program, prepared.schedule.schedule);
  prepared.tuning = tuning_of_loops(backend, prepared.program, building.versions);
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
  return prepared.tuning.empty() ? library : library.with_thresholds(prepared.tuning);
}

/// To standard output, which with `--json` is reserved for the one object.
void say(const Execution& execution, const std::string& text) {
  if (execution.json)
    say_aside(text);
  else
    fmt::print("{}", text);
}

void say_memory(const Prepared& prepared, const Execution& execution,
                const std::vector<MemoryNeed>& needs) {
  std::string name = prepared.chosen.name;
  if (!prepared.chosen.problem.empty()) name += " " + prepared.chosen.problem;
  if (const std::string changes = prepared.chosen.choices.changes(); !changes.empty())
    name += ", " + changes;
  say(execution,
      fmt::format("{}: {} cells, {}; {}\n", name, runtime::size_text(prepared.size),
                  om::name(prepared.chosen.precision), memory_text(needs, prepared.size)));
}

}  // namespace

std::vector<std::int64_t> largest_part(const std::vector<std::int64_t>& size,
                                       const std::optional<om::Orthotree>& tree) {
  if (!tree) return size;
  const std::vector<om::Box> parts = tree->leaves(size);
  const om::Box& largest = *std::ranges::max_element(parts, {}, &om::Box::cell_count);
  return om::minus(largest.upper, largest.lower);
}

std::vector<std::int64_t> largest_part(const Prepared& prepared) {
  return largest_part(prepared.size, prepared.tree);
}

void declare_backend(CLI::App& command, Building& building, bool interprets) {
  auto names = runtime::backend_names();  // the first is the default one
  if (interprets) names.emplace_back(kInterpreter);
  names.front() += " (default)";
  command.add_option("--backend", building.backend, fmt::format("{}", fmt::join(names, ", ")))
      ->type_name("B");
}

namespace {

/// Throws WrongCall if there is no such device, or nothing to choose. Solvers read the variable,
/// also those of the processes that `tune` starts.
void use_device(const Building& building) {
  if (building.device.empty()) return;
  std::vector<std::string> choosing;
  for (const runtime::Backend& row : runtime::backends())
    if (row.chooses_device) choosing.emplace_back(row.name);
  const runtime::Backend* backend = runtime::find_backend(building.backend);
  if (!backend || !backend->chooses_device)
    throw WrongCall(fmt::format(
        "`--device` needs `--backend` {} or {}: `{}` runs on this processor",
        fmt::join(choosing.begin(), choosing.end() - 1, ", "), choosing.back(), building.backend));
  const runtime::DeviceList devices = backend->devices();
  if (devices.all.empty()) throw Error(devices.why);
  if (!find_device(devices.all, building.device))
    unknown_name("device", building.device, devices.names());
  setenv("PARAISO_DEVICE", building.device.c_str(), 1);
}

}  // namespace

void declare_device(CLI::App& command, Building& building) {
  command.add_option("--device", building.device, "its number or a part of its name (see doctor)")
      ->type_name("D");
  command.parse_complete_callback([&building] { use_device(building); });
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
                  "default, a file, genome:LETTERS; tuned, predicted")
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

void declare_execution(CLI::App& command, Execution& execution, bool interprets) {
  declare_machine(command, execution.machine);
  command.add_option("--size", execution.size, "cells per axis; 1024x1024 is of 2 dimensions")
      ->type_name("NxM");
  // Takes one value each time: `--set a=1 hydro` must not take `hydro`.
  command.add_option("--set", execution.set, "set a parameter; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  declare_backend(command, execution.building, interprets);
  declare_device(command, execution.building);
  declare_threads(command, execution);
  declare_schedule(command, execution.building);
  declare_numbers(command, execution.building);
  command.add_option("--compiler", execution.building.compiler, "g++ or clang++")->type_name("C");
  declare_target(command, execution.building);
  declare_fusion(command, execution.building);
  command.add_flag("--json", execution.json, "one JSON object on standard output");
}

void declare_database(CLI::App& command, Execution& execution) {
  command
      .add_option("--database", execution.database, "of tuning results; default: the user's own")
      ->type_name("FILE");
}

void check_backend(std::string_view backend, const std::vector<std::string>& have) {
  if (std::find(have.begin(), have.end(), backend) != have.end()) return;
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

namespace {

/// Whose plans are the measure where the interpreter runs, which has none: the default one's.
const runtime::Backend& planning_backend(const Building& building) {
  return building.backend == kInterpreter ? runtime::default_backend() : backend_of(building);
}

}  // namespace

std::string usable_compiler(const Building& building) {
  if (!building.compiler.empty()) return building.compiler;
  const std::string own = target_of(building).compiler;
  return runtime::usable_toolchain(planning_backend(building), own);
}

runtime::Toolchain usable_toolchain(const Building& building) {
  return planning_backend(building).find_toolchain(usable_compiler(building));
}

MachineLookup machine_lookup(const Building& building) {
  return [&building] {
    return machine_for(planning_backend(building), building.planned_for, target_of(building),
                       [&] { return usable_toolchain(building); });
  };
}

plan::MachineModel machine_with(const Building& building, int threads) {
  plan::MachineModel machine = machine_lookup(building)();
  machine.threads = threads;
  return machine;
}

passes::Fused build_program(const om::Machine& machine, const Building& building,
                            const std::vector<std::int64_t>& size, std::string_view after) {
  if (building.hold_time_step && (!building.fuse || building.fuse == 1))
    throw WrongCall(
        "`--hold-time-step` needs `--fuse N` with N > 1: it holds the time step for N steps");
  const om::Machine program = passes::prepare(machine, building.numbers);
  for (const Diagnostic& note : passes::settled_annotations(program)) say_aside(note.text() + "\n");
  const int steps = building.fuse
                        ? *building.fuse
                        : runtime::fusion_depth(planning_backend(building), program,
                                                planned_setting(size, machine_lookup(building)));
  return as_wrong_call(
      [&] { return passes::fuse(program, steps, building.hold_time_step, after); });
}

plan::Plan plan_of(const passes::Fused& fused, const Building& building,
                   const std::vector<std::int64_t>& size) {
  const om::Machine& program = fused.machine;
  const runtime::Backend& backend = backend_of(building);
  if (!building.versions.file.empty()) return plan_versions(fused, building);
  if (building.given) return backend.make_plan(program, *building.given);
  const auto genes = plan::genes(program, backend.options);
  const ScheduledProgram scheduled{backend, program, machine_lookup(building), genes, size};
  plan::Plan plan = backend.make_plan(program, choose_schedule(scheduled, building.schedule));
  plan.tuning = tuning_of_loops(backend, program, building.versions);
  return plan;
}

namespace {

/// Whatever is wrong with a parameter is found here, before any compiler runs.
runtime::Parameters parameters_of(const om::Machine& program, const Execution& execution) {
  if (execution.parameters) return *execution.parameters;
  return as_wrong_call([&] {
    auto parameters = runtime::parse_parameters(program, execution.set);
    if (!execution.restarts) runtime::check_extents(program, parameters);
    return parameters;
  });
}

}  // namespace

Prepared read_names(const Session& session, const Execution& execution, const char* work) {
  const Building& building = execution.building;
  Prepared prepared;
  prepared.chosen = choose_machine(session, execution.machine, execution.size);
  prepared.size = execution.size.empty()
                      ? prepared.chosen.size
                      : parse_size(execution.size, prepared.chosen.machine.dimension);
  if (!prepared.chosen.machine.step_kernel())
    throw WrongCall(fmt::format("`{}` has no step kernel to {}", prepared.chosen.name, work));
  std::optional<om::Orthotree> tree;
  if (!building.fuse) tree = division_of(prepared.size, session, execution);
  passes::Fused fused =
      build_program(prepared.chosen.machine, building, largest_part(prepared.size, tree));
  prepared.record.program_hash = om::program_hash(passes::unfused(fused));
  prepared.program = std::move(fused.machine);
  prepared.fusion = std::move(fused.fusion);
  prepared.parameters = parameters_of(prepared.program, execution);
  prepared.genes = plan::genes(prepared.program, planning_backend(building).options);
  prepared.record.command = session.command;
  prepared.record.choices = prepared.chosen.choices;
  prepared.record.problem = prepared.chosen.problem;
  prepared.record.numbers = passes::name(building.numbers);
  prepared.record.backend = building.backend;
  if (building.backend == kInterpreter) return prepared;
  prepared.target = runnable_target(building);
  prepared.compiler = usable_compiler(building);
  prepared.threads = execution.threads > 0 ? execution.threads : runtime::host().threads;
  return prepared;
}

Prepared choose_without_building(const Session& session, const Execution& execution) {
  (void)backend_of(execution.building);
  Prepared prepared = read_names(session, execution, "run");
  choose_code(prepared, execution);
  return prepared;
}

namespace {

/// Of what an instance allocates where it computes; of ranks, the sum.
codegen::BytesOfSize bytes_of_code(const Prepared& prepared, const runtime::Backend& backend) {
  return [&prepared, whole = bytes_of(backend, *prepared.plan)](const auto& size) {
    if (!prepared.tree || size != prepared.size) return whole(size);
    double sum = 0;
    for (const om::Box& box : computed_boxes(prepared))
      sum += codegen::part_bytes(*prepared.plan, om::minus(box.upper, box.lower));
    return sum;
  };
}

/// Of what all ranks have, those of this host.
double share_here(const runtime::World* world) {
  if (world == nullptr) return 1;
  return static_cast<double>(world->ranks_here().size()) / world->ranks();
}

void say_processes(const Execution& execution, const std::vector<double>& bytes) {
  if (bytes.empty()) return;
  say(execution, fmt::format("processes: at most {} each, the program itself included\n",
                             runtime::bytes_text(*std::ranges::max_element(bytes))));
}

/// All before the instance; no library: the interpreter runs the program.
std::optional<runtime::Library> prepare_code(Prepared& prepared, const Session& session,
                                             const Execution& asked, const MoreBytes& more_bytes) {
  const Execution execution = with_shared_choice(session, asked);
  prepared = read_names(session, execution, "run");
  divide_grid(prepared, session, execution);
  say_crowded(prepared, session);
  take_tuned_depth(prepared, session, execution);
  const std::vector<std::int64_t>& size = prepared.size;
  const double share = share_here(session.world);
  const codegen::BytesOfSize more = [&](const auto& cells) {
    return share * more_bytes(prepared.program, cells);
  };
  const auto fit = [&](const std::vector<MemoryNeed>& needs) {
    for (const MemoryNeed& need : needs) runtime::require_memory(size, need.bytes, need.limit);
    say_memory(prepared, execution, needs);
  };
  if (execution.building.backend == kInterpreter) {
    refuse_schedules(execution.building, execution.threads);
    const auto own = [&](const auto& cells) {
      return runtime::interpreter_bytes(prepared.program, cells);
    };
    fit({{[&](const auto& cells) { return share * own(cells) + more(cells); },
          runtime::available_memory()}});
    prepared.bytes = own(size);
    return std::nullopt;
  }
  choose_code(prepared, execution);
  share_choice(session, prepared);
  // Before the compiler runs: a grid that does not fit needs no code.
  const runtime::Backend& backend = backend_of(execution.building);
  const codegen::BytesOfSize own = bytes_of_code(prepared, backend);
  fit(memory_needs(
      backend, *prepared.plan, [&](const auto& cells) { return share * own(cells); }, more));
  prepared.bytes = own(size);
  if (session.world != nullptr) prepared.process_bytes = process_bytes(prepared, more_bytes);
  say_processes(execution, prepared.process_bytes);
  const runtime::Library library = with_chosen_version(prepared, build(prepared));
  if (const auto device = runtime::chosen_device(backend)) prepared.device = device->name;
  say(execution, fmt::format("schedule: {}, {}\ncode: by {} for {}{}\n", prepared.schedule.kind,
                             prepared.schedule.source, prepared.compiler, prepared.target.text(),
                             prepared.device.empty()
                                 ? ""
                                 : fmt::format("; {} on `{}`", backend.name, prepared.device)));
  if (!prepared.version.empty()) say(execution, fmt::format("version: `{}`\n", prepared.version));
  return library;
}

}  // namespace

Prepared prepare_execution(const Session& session, const Execution& execution,
                           const MoreBytes& more_bytes) {
  auto have = runtime::backend_names();
  have.emplace_back(kInterpreter);
  check_backend(execution.building.backend, have);
  (void)target_of(execution.building);  // throws if there is none of that name
  Prepared prepared;
  std::optional<runtime::Library> library;
  const auto prepare = [&] { library = prepare_code(prepared, session, execution, more_bytes); };
  if (session.world != nullptr)
    session.world->in_turns(prepare);
  else
    prepare();
  if (library)
    prepared.instance =
        start_instance(prepared, execution.division.balance, *library, session.world);
  else
    start_interpreter(prepared, prepared.size);
  if (execution.building.versions.log && prepared.instance) say_aside(comparisons_of(prepared));
  return prepared;
}

}  // namespace paraiso::cli
