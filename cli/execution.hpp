// Execution: what `run` and `bench` share: a program, a grid, a backend, and how to build it.
// Gives: Building, Execution, Prepared, ranks_of, largest_part, declare_*, target_of,
// usable_compiler, usable_toolchain, machine_lookup, machine_with, build_program, plan_of,
// read_names, choose_without_building, prepare_execution.
// Needs: machine_choice, runtime.
#pragma once

#include <memory>
#include <optional>

#include "cli/division_choice.hpp"
#include "cli/machine_choice.hpp"
#include "cli/planned_machine.hpp"
#include "cli/schedule_choice.hpp"
#include "cli/version_choice.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/fields/record.hpp"

namespace paraiso::cli {

inline constexpr const char* kInterpreter = "interpreter";  // that all backends are compared with

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

struct Execution {
  MachineChoice machine;
  Building building;
  std::string size;                               // as typed; empty: the problem's own
  std::vector<std::string> set;                   // "name=value"
  std::optional<runtime::Parameters> parameters;  // instead: values, in a worker's task
  bool restarts = false;  // from a checkpoint, which may have a domain of its own
  std::string database;   // of tuning results; empty: the user's
  DivisionChoice division;
  int threads = 0;  // within each rank; 0: all that this process may use, divided among the ranks
  bool json = false;
};

/// A program in memory, at rest before its initial kernel.
struct Prepared {
  ChosenMachine chosen;
  om::Machine program;  // after all passes
  passes::Fusion fusion;
  std::vector<std::int64_t> size;
  runtime::Parameters parameters;
  std::vector<plan::Gene>
      genes;          // of the program; for the interpreter those of the default backend
  bool skew = false;  // a tuner may shift storage, too
  ScheduleChoice schedule;
  std::optional<plan::Plan> plan;  // of the program under that schedule; none for the interpreter
  plan::Thresholds tuning;         // of its loops and versions, where asked for
  std::string version;             // that runs; empty if there are none
  std::unique_ptr<runtime::Instance> instance;
  std::string compiler;               // "g++"; empty for the interpreter
  std::string device;                 // its name; empty where threads of this host run
  plan::Target target;                // without a name for the interpreter
  std::optional<om::Orthotree> tree;  // of a divided grid
  std::vector<double> rank_memory;    // bytes that a graph of the hardware has for each rank
  int threads = 1;                    // within each rank
  double sharing = 1;                 // ranks of this host that share a last cache
  double bytes = 0;                   // of the instance
  std::vector<double> process_bytes;  // of each rank, if each has a process: all that it takes
  double compile_seconds = 0;         // 0 if it came from the cache
  runtime::Record record;
};

/// Of the grid: 1 if it is not divided.
[[nodiscard]] inline std::size_t ranks_of(const Prepared& prepared) {
  return prepared.tree ? prepared.tree->leaf_count() : 1;
}
/// The cells along each axis of the part that has the most; of a whole grid its size.
[[nodiscard]] std::vector<std::int64_t> largest_part(const Prepared& prepared);
[[nodiscard]] std::vector<std::int64_t> largest_part(const std::vector<std::int64_t>& size,
                                                     const std::optional<om::Orthotree>& tree);

/// `interprets`: the interpreter is one of them.
void declare_backend(CLI::App& command, Building& building, bool interprets);
/// Also sees to it that this process, and what it starts, use the device that is chosen.
void declare_device(CLI::App& command, Building& building);
void declare_numbers(CLI::App& command, Building& building);
void declare_schedule(CLI::App& command, Building& building);
void declare_target(CLI::App& command, Building& building);
void declare_fusion(CLI::App& command, Building& building);
void declare_execution(CLI::App& command, Execution& execution, bool interprets);
void declare_database(CLI::App& command, Execution& execution);

/// Throws WrongCall for a backend that there is not.
void check_backend(std::string_view backend, const std::vector<std::string>& have);
/// The row of the backend that code is generated for; throws like check_backend.
[[nodiscard]] const runtime::Backend& backend_of(std::string_view name);
[[nodiscard]] inline const runtime::Backend& backend_of(const Building& building) {
  return backend_of(building.backend);
}

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

/// Everything that is known before anything is planned: sizes, names, parameters, and for generated
/// code what it is compiled by and for. `work` is what a program without steps can't do.
[[nodiscard]] Prepared read_names(const Session& session, const Execution& execution,
                                  const char* work);

/// For generated code: reads sizes and names, chooses the schedule and plans with it. Neither
/// memory nor compiled code exists yet.
[[nodiscard]] Prepared choose_without_building(const Session& session, const Execution& execution);

using MoreBytes = std::function<double(const om::Machine&, const std::vector<std::int64_t>&)>;

/// Reads sizes and names, generates, compiles, allocates. Refuses a grid that does not fit the
/// memory, with the numbers; `more_bytes` is what the caller allocates in addition. Prints to
/// standard output (to standard error with `json`) how much memory it takes, which schedule it
/// uses, and what compiled its code for which target. One of several processes that does not drive
/// the others works for the one that does, and then has no instance.
[[nodiscard]] Prepared prepare_execution(const Session& session, const Execution& execution,
                                         const MoreBytes& more_bytes);

}  // namespace paraiso::cli
