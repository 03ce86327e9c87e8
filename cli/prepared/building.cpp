#include "cli/prepared/building.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "cli/call/values.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/plan/choices/set_dispatch.hpp"
#include "paraiso/plan/dispatch/loop_thresholds.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {

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
  if (!backend && building.backend != kInterpreter) return;  // whoever asks for it will tell
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

const runtime::Backend& planning_backend(const Building& building) {
  return building.backend == kInterpreter ? runtime::default_backend() : backend_of(building);
}

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

plan::Plan plan_versions(const passes::Fused& fused, const Building& building) {
  const runtime::Backend& backend = backend_of(building);
  const auto genes = plan::genes(fused.machine, backend.options);
  const Versioned versioned =
      choose_versions({backend, fused.machine, machine_lookup(building), genes},
                      tune::timed_kernel(fused.machine, fused.fusion), building.versions);
  plan::Plan plan = backend.make_plan(versioned.program, versioned.schedule);
  auto [loops, versions] = plan::of_loops_and_versions(versioned.tuning, versioned.program);
  if (versioned.dispatch) plan::set_dispatch(plan, plan::tuned(*versioned.dispatch, versions));
  plan.tuning = std::move(loops);
  return plan;
}

}  // namespace paraiso::cli
