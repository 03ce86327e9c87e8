// Building: how code is generated from a program, as the options say it.
// Gives: Building, declare_*, check_backend, backend_of, target_of, runnable_target,
// usable_compiler, usable_toolchain, planning_backend, machine_lookup, machine_with,
// build_program, plan_of, plan_versions. Needs: schedule_choice, version_choice, runtime.
#pragma once

#include <optional>

#include "cli/choices/planned_machine.hpp"
#include "cli/choices/schedule_choice.hpp"
#include "cli/choices/version_choice.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::cli {

/// How code is generated from a program; `emit` and `verify` have this without a grid.
struct Building {
  std::string backend = runtime::default_backend().name;
  std::string schedule;  // "default", "tuned", a file, "genome:" and letters; empty: the best known
  std::optional<plan::Schedule> given;  // instead: a schedule as a value, in a worker's task
  std::string compiler;                 // empty: the target's own, or the first that works
  std::string target;                   // empty: $PARAISO_TARGET, else `native`
  std::string device;                   // its number or a part of its name; empty: $PARAISO_DEVICE
  std::string planned_for;              // a machine's file; empty: this machine
  passes::Numbers numbers = passes::Numbers::fma;
  std::optional<int> fuse = 1;  // steps in one kernel; none: the planner decides
  bool hold_time_step = false;
  VersionOptions versions;
};

/// `interprets`: the interpreter is one of them.
void declare_backend(CLI::App& command, Building& building, bool interprets);
/// Also sees to it that this process, and what it starts, use the device that is chosen.
void declare_device(CLI::App& command, Building& building);
void declare_numbers(CLI::App& command, Building& building);
void declare_schedule(CLI::App& command, Building& building);
void declare_target(CLI::App& command, Building& building);
void declare_fusion(CLI::App& command, Building& building);

/// Throws WrongCall for a backend that there is not.
void check_backend(std::string_view backend, const std::vector<std::string>& have);
/// The row of the backend that code is generated for; throws like check_backend.
[[nodiscard]] const runtime::Backend& backend_of(std::string_view name);
[[nodiscard]] inline const runtime::Backend& backend_of(const Building& building) {
  return backend_of(building.backend);
}

/// Whose plans are the measure where the interpreter runs, which has none: the default one's.
[[nodiscard]] const runtime::Backend& planning_backend(const Building& building);

/// The target that code is compiled for. Throws WrongCall for an unknown name.
[[nodiscard]] plan::Target target_of(const Building& building);
/// The same. Throws WrongCall also if this machine can't run it.
[[nodiscard]] plan::Target runnable_target(const Building& building);

/// The compiler that the user named; else the target's own, or the back end's first that works
/// here. Throws Error if there is none.
[[nodiscard]] std::string usable_compiler(const Building& building);
/// The same, as the back end finds it.
[[nodiscard]] runtime::Toolchain usable_toolchain(const Building& building);

/// The machine that plans and forecasts are made for, and the same with another number of threads.
[[nodiscard]] MachineLookup machine_lookup(const Building& building);
[[nodiscard]] plan::MachineModel machine_with(const Building& building, int threads);

/// `machine` through all passes, with fused steps if requested, up to and including the pass
/// `after` of its phase, if given. `size` is of the grid at hand, or of a rank's part, for which
/// `--fuse auto` decides; empty if there is none. Throws WrongCall if steps can't be fused.
[[nodiscard]] passes::Fused build_program(const om::Machine& machine, const Building& building,
                                          const std::vector<std::int64_t>& size = {},
                                          std::string_view after = {});

/// The plan of a program, with the schedule that `--schedule` names, or with the versions that
/// `--versions` names of the kernel that takes the steps; `size` is of the grid at hand, empty if
/// none is. Throws like choose_schedule.
[[nodiscard]] plan::Plan plan_of(const passes::Fused& fused, const Building& building,
                                 const std::vector<std::int64_t>& size = {});

/// The plan of the versions that `--versions` names; the thresholds that the user set are those
/// that the code begins with.
[[nodiscard]] plan::Plan plan_versions(const passes::Fused& fused, const Building& building);

}  // namespace paraiso::cli
