// `paraiso run`: a solver from its initial state: watched, stored and restarted.
#include "paraiso/runtime/run/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/execution/execution.hpp"
#include "cli/prepared/prepared_json.hpp"
#include "paraiso/base/extents.hpp"
#include "paraiso/passes/analysis/diagnostics.hpp"
#include "paraiso/runtime/output/checkpoint.hpp"
#include "paraiso/runtime/run/progress.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RunCall {
  Execution execution;
  runtime::RunOptions run;
  bool quiet = false;
};

using Scalars = std::vector<std::pair<std::string, double>>;

void check_plot(const om::Machine& program, const std::string& field) {
  if (field.empty()) return;
  std::vector<std::string> locals;
  for (const om::Static& entry : program.statics)
    if (entry.type.is_local()) locals.push_back(entry.name);
  if (std::find(locals.begin(), locals.end(), field) == locals.end())
    unknown_name("field", field, locals);
}

// A solver with an exact solution has a plain kernel of this name, which stores what to print.
constexpr const char* kError = "error";

std::vector<om::StaticId> stored_scalars(const om::Machine& machine, const om::Kernel& kernel) {
  std::vector<om::StaticId> scalars;
  for (const om::NodeId id : kernel.graph.stores()) {
    const om::StaticId target = std::get<om::Store>(kernel.graph.node(id).instruction).target;
    if (machine.at(target).type.realm == om::Realm::global) scalars.push_back(target);
  }
  return scalars;
}

Scalars errors(runtime::Instance& instance) {
  Scalars found;
  const om::Machine& machine = instance.machine();
  const om::Kernel* kernel = machine.find_kernel(kError);
  if (!kernel || kernel->role != om::KernelRole::plain) return found;
  instance.run(kError);
  for (const om::StaticId id : stored_scalars(machine, *kernel))
    found.emplace_back(machine.at(id).name, instance.scalar(id).to_double());
  return found;
}

Json to_json(const om::Constant& value) {
  if (value.element() == om::Element::boolean) return value.as<bool>();
  if (om::is_integer(value.element())) return value.as<std::int64_t>();
  return value.to_double();
}

Json files(const runtime::RunResult& result) {
  Json snapshots = Json::array(), pictures = Json::array();
  for (const auto& path : result.snapshots) snapshots.push_back(path.string());
  for (const auto& path : result.pictures) pictures.push_back(path.string());
  return {{"snapshots", snapshots},
          {"pictures", pictures},
          {"series", result.series.string()},
          {"xdmf", result.xdmf.string()},
          {"checkpoint", result.checkpoint.string()}};
}

Json to_json(const Prepared& prepared, const runtime::RunResult& result, const Scalars& errors) {
  Json fields = Json::object(), scalars = Json::object(), error = Json::object();
  for (const auto& field : result.fields)
    fields[field.name] = {
        {"min", field.minimum}, {"max", field.maximum}, {"sum", field.sum}, {"hash", field.hash}};
  for (const auto& scalar : result.scalars) scalars[scalar.name] = to_json(scalar.value);
  for (const auto& [name, value] : errors) error[name] = value;
  Json json = prepared_json(prepared);
  json.update({{"process_bytes", prepared.process_bytes},
               {"end", runtime::name(result.end)},
               {"steps", result.steps},
               {"steps_run", result.steps_run},
               {"time", result.time ? Json(*result.time) : Json()},
               {"seconds", result.seconds},
               {"cell_updates_per_second", result.cell_updates_per_second},
               {"fields", fields},
               {"scalars", scalars},
               {"errors", error},
               {"files", files(result)}});
  return json;
}

void print_files(const runtime::RunResult& result) {
  const auto print_path = [](const char* what, const std::filesystem::path& path) {
    if (!path.empty()) fmt::print("{:<11}{}\n", what, path.string());
  };
  if (!result.pictures.empty())
    fmt::print("{:<11}{}{}\n", "pictures", result.pictures.back().string(),
               result.pictures.size() > 1
                   ? fmt::format(" and {} before it", result.pictures.size() - 1)
                   : "");
  if (!result.snapshots.empty())
    fmt::print("{:<11}{}{}\n", "HDF5", result.snapshots.back().string(),
               result.snapshots.size() > 1
                   ? fmt::format(" and {} before it", result.snapshots.size() - 1)
                   : "");
  print_path("XDMF", result.xdmf);
  print_path("scalars", result.series);
  print_path("checkpoint", result.checkpoint);
}

/// The Globals that a step or a diagnostic stores, except errors, which are printed separately: all
/// others are parameters, or as old as the kernel that computed them.
std::vector<std::string> living_scalars(const om::Machine& machine) {
  std::vector<std::string> names;
  const auto collect = [&](const om::Kernel& kernel) {
    for (const om::StaticId id : stored_scalars(machine, kernel))
      names.push_back(machine.at(id).name);
  };
  collect(*machine.step_kernel());
  for (const om::Kernel* kernel : passes::diagnostics(machine))
    if (kernel->name != kError) collect(*kernel);
  return names;
}

void print_text(const om::Machine& machine, const runtime::RunResult& result,
                const Scalars& errors) {
  fmt::print("{} at step {}{}\n", runtime::name(result.end), result.steps,
             result.time ? fmt::format(", time {:.6g}", *result.time) : "");
  for (const auto& field : result.fields)
    fmt::print("  {:<20} min {:<12.6g} max {:<12.6g} sum {:<14.8g} hash {}\n", field.name,
               field.minimum, field.maximum, field.sum, field.hash);
  const auto living = living_scalars(machine);
  for (const auto& scalar : result.scalars)
    if (std::find(living.begin(), living.end(), scalar.name) != living.end())
      fmt::print("  {:<20} {}\n", scalar.name, scalar.value.text());
  for (const auto& [name, value] : errors) fmt::print("  {:<20} {:.6g}\n", name, value);
  print_files(result);
  fmt::print("{:<11}{}; {} steps in {:.4g} s\n", "speed",
             runtime::speed_text(result.cell_updates_per_second), result.steps_run, result.seconds);
}

/// Where to stop by default: the problem's own time, else its number of steps.
void set_end(runtime::RunOptions& run, const ChosenMachine& chosen) {
  if (run.steps || run.until) return;
  if (chosen.until > 0)
    run.until = chosen.until;
  else
    run.steps = chosen.steps;
}

/// The grid of the checkpoint, as `--size` would say it.
std::string size_of_restart(const Session& session, const RunCall& call) {
  const std::string size = runtime::size_text(runtime::checkpoint_size(call.run.restart));
  const om::Machine machine = choose_machine(session, call.execution.machine, size).machine;
  const auto axes = static_cast<std::size_t>(machine.dimension);
  if (extents_of(size).size() != axes)
    throw Error(
        fmt::format("the checkpoint `{}` does not fit this run: its grid is {}, and `{}` "
                    "has {} ax{}s",
                    call.run.restart.string(), size.empty() ? "of no cells" : size, machine.name,
                    axes, axes == 1 ? "i" : "e"));
  return size;
}

int run(const Session& session, RunCall call) {
  if (call.run.every > 0 && call.run.output.empty())
    throw WrongCall("`--every` sets the time between outputs, which need `--output DIR`");
  if (!call.run.restart.empty() && call.execution.size.empty())
    call.execution.size = size_of_restart(session, call);
  call.execution.restarts = !call.run.restart.empty();
  Prepared prepared =
      prepare_execution(session, call.execution, [&](const auto& program, const auto& size) {
        check_plot(program, call.run.plot);
        return runtime::run_bytes(program, size);
      });
  if (!prepared.instance) return kSuccess;  // another process ran it
  call.run.problem = prepared.chosen.problem;
  call.run.parameters = prepared.parameters;
  call.run.record = prepared.record;
  call.run.fusion = prepared.fusion;
  call.run.progress = !call.quiet;
  set_end(call.run, prepared.chosen);
  const runtime::RunResult result = runtime::run(*prepared.instance, call.run);
  const Scalars found = errors(*prepared.instance);
  if (call.execution.json)
    fmt::print("{}\n", json_text(to_json(prepared, result, found)));
  else
    print_text(prepared.program, result, found);
  const bool stopped =
      result.end == runtime::RunEnd::interrupt || result.end == runtime::RunEnd::terminate;
  return stopped ? kFailure : kSuccess;
}

void declare_end(CLI::App& command, runtime::RunOptions& run) {
  CLI::Option* steps = add_count(command, "--steps", run.steps, "stop at that step", 0);
  CLI::Option* until =
      add_positive(command, "--until", run.until, "stop at that time of the solver");
  steps->excludes(until);
  add_positive(command, "--wall-time", run.wall_time, "stop after this time by the clock")
      ->type_name("SECONDS");
}

void declare_output(CLI::App& command, runtime::RunOptions& run) {
  command.add_option("--output", run.output, "folder of snapshots, pictures, scalars.csv")
      ->type_name("DIR");
  add_positive(command, "--every", run.every, "time between outputs; steps if there is no time");
  command.add_option("--plot", run.plot, "draw this field at each output")->type_name("FIELD");
  command.add_option("--fields", run.fields, "HDF5 file to set fields from at the start")
      ->type_name("FILE");
  command.add_option("--checkpoint", run.checkpoint, "write here at the end and every ten minutes")
      ->type_name("FILE");
  command.add_option("--restart", run.restart, "continue exactly from this checkpoint")
      ->type_name("FILE");
}

}  // namespace

void declare_run(CLI::App& command, Session& session) {
  const auto call = std::make_shared<RunCall>();
  declare_execution(command, call->execution, true);
  declare_division(command, call->execution.division);
  command.add_flag("--balance", call->execution.division.balance, "move cuts where ranks are slow");
  declare_database(command, call->execution);
  declare_versions(command, call->execution.building.versions, true);
  declare_end(command, call->run);
  declare_output(command, call->run);
  command.add_flag("--quiet", call->quiet, "no progress line on standard error");
  command.callback(
      [&session, call] { session.chosen = [&, call] { return run(session, *call); }; });
}

}  // namespace paraiso::cli
