// Execution: what `run` and `bench` share: a program, a grid, a backend, and how to build it.
// Gives: Building, Execution, Prepared, declare_*, target_of, usable_compiler, machine_lookup,
// machine_with, build_program, plan_without_grid, choose_without_building, prepare_execution.
// Needs: machine_choice, runtime.
#pragma once

#include <memory>
#include <optional>

#include "cli/machine_choice.hpp"
#include "cli/planned_machine.hpp"
#include "cli/schedule_choice.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/record.hpp"

namespace paraiso::cli {

/// How generated code is made from a program; `emit` and `verify` have this without a grid.
struct Building {
  std::string backend = runtime::default_backend().name;
  std::string schedule;  // "default", "tuned", a file, "genome:" and letters; empty: the best known
  std::string compiler;  // empty: the target's own, or the first that works
  std::string target;    // empty: $PARAISO_TARGET, else `native`
  std::string planned_for;  // a machine's file; empty: this machine
  passes::Numbers numbers = passes::Numbers::fma;
  std::optional<int> fuse = 1;  // steps in one kernel; none: as the planner likes
  bool hold_time_step = false;
};

struct Execution {
  MachineChoice machine;
  Building building;
  std::string size;              // as typed; empty: the problem's own
  std::vector<std::string> set;  // "name=value"
  std::string database;          // of tuning results; empty: the user's
  int threads = 0;               // 0: all that this process may use
  bool json = false;
};

/// A program in memory, at rest before its initial kernel.
struct Prepared {
  ChosenMachine chosen;
  om::Machine program;  // after all passes
  passes::Fusion fusion;
  std::vector<std::int64_t> size;
  ScheduleChoice schedule;
  std::optional<plan::Plan> plan;  // of the program under that schedule; none for the interpreter
  std::unique_ptr<runtime::Instance> instance;
  std::string compiler;  // "g++"; empty for the interpreter
  plan::Target target;   // without a name for the interpreter
  int threads = 1;
  double bytes = 0;            // that the instance takes
  double compile_seconds = 0;  // 0 where it came from the cache
  runtime::Record record;
};

void declare_backend(CLI::App& command, Building& building);
void declare_numbers(CLI::App& command, Building& building);
void declare_schedule(CLI::App& command, Building& building);
void declare_target(CLI::App& command, Building& building);
void declare_fusion(CLI::App& command, Building& building);
void declare_execution(CLI::App& command, Execution& execution);
void declare_database(CLI::App& command, Execution& execution);

/// Throws WrongCall for a backend that there is not, or (named so) not yet.
void check_backend(std::string_view backend, const std::vector<std::string>& have);
/// The row of the backend that code is made for; throws as check_backend.
[[nodiscard]] const runtime::Backend& backend_of(std::string_view name);
[[nodiscard]] inline const runtime::Backend& backend_of(const Building& building) {
  return backend_of(building.backend);
}

/// What code is made for. Throws WrongCall for an unknown name.
[[nodiscard]] plan::Target target_of(const Building& building);
/// The same. Throws WrongCall where this machine can't run it, too.
[[nodiscard]] plan::Target runnable_target(const Building& building);

/// The compiler that was asked for; else the target's own, or the first that works here. Throws
/// Error where there is none.
[[nodiscard]] std::string usable_compiler(const Building& building);

/// What plans and forecasts are made for, and the same with another number of threads.
[[nodiscard]] MachineLookup machine_lookup(const Building& building);
[[nodiscard]] plan::MachineModel machine_with(const Building& building, int threads);

/// `machine` through all passes, its steps fused where that was asked for, up to and including the
/// pass `after` of that phase, if given. Throws WrongCall where they can't be fused.
[[nodiscard]] passes::Fused build_program(const om::Machine& machine, const Building& building,
                                          std::string_view after = {});

/// The plan of a program where there is no grid: by what `--schedule` says. Throws as
/// choose_schedule.
[[nodiscard]] plan::Plan plan_without_grid(const om::Machine& program, const Building& building);

/// Of generated code: reads sizes and names, chooses the schedule and plans by it. Neither memory
/// nor compiled code is there yet.
[[nodiscard]] Prepared choose_without_building(const Session& session, const Execution& execution);

/// Reads sizes and names, generates, compiles, allocates. Refuses, with the number, a grid that
/// does not fit the memory; `more_bytes` is what the caller allocates besides. Says on standard
/// output (on standard error with `json`) how much memory it takes, by which schedule it runs, and
/// what made its code for what.
[[nodiscard]] Prepared prepare_execution(
    const Session& session, const Execution& execution,
    const std::function<double(const om::Machine&, const std::vector<std::int64_t>&)>& more_bytes);

}  // namespace paraiso::cli
