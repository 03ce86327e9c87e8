#include "cli/prepared/prepared.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/call/options.hpp"
#include "cli/call/values.hpp"
#include "cli/prepared/divided_grid.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::cli {

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

namespace {

constexpr int kMostThreads = 4096;

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

}  // namespace paraiso::cli
