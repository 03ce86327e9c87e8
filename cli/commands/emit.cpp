// `paraiso emit`: a standalone library, in a folder that is ours or empty.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/prepared/building.hpp"
#include "cli/prepared/machine_choice.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// The command that wrote the folder, and each file's hash then: only such files may be overwritten.
constexpr const char* kRecord = "paraiso-emit.json";

struct EmitOptions {
  MachineChoice machine;
  Building building;
  std::string output;
  bool mpi = false;
};

Json read_record(const fs::path& folder) {
  const fs::path path = folder / kRecord;
  const Json record = Json::parse(runtime::read_file(path), nullptr, false);
  bool sound = record.is_object() && record.contains("files") && record["files"].is_object();
  if (sound)  // names of this folder's files, whoever wrote them
    for (const auto& [name, hash] : record["files"].items())
      sound = sound && fs::path(name).filename() == name && name != "." && name != "..";
  if (!sound)
    throw Error(fmt::format("`{}` is damaged: choose another `--output` folder", path.string()));
  return record;
}

/// What the last `emit` into this folder recorded; of a new or empty one, no files. Nothing may be
/// lost: refuses a folder with files that no `emit` wrote, and files changed since.
Json record_of_ours(const fs::path& folder) {
  const Json none = {{"files", Json::object()}};
  if (!fs::exists(folder)) return none;
  if (!fs::is_directory(folder))
    throw WrongCall(fmt::format("`--output {}` is no folder", folder.string()));
  if (fs::is_empty(folder)) return none;
  if (!fs::exists(folder / kRecord))
    throw WrongCall(fmt::format(
        "`--output {}` is not empty and was not written by `emit`: choose another folder",
        folder.string()));
  const Json record = read_record(folder);
  for (const auto& [name, hash] : record["files"].items())
    if (fs::exists(folder / name) && hex(fnv1a(runtime::read_file(folder / name))) != hash)
      throw Error(
          fmt::format("`{}` was changed since it was emitted: move it away, or choose another "
                      "`--output` folder",
                      (folder / name).string()));
  return record;
}

/// Files of an earlier emit that this one does not write would be stale. Those that it changes go
/// too: if we are interrupted, all that is there is as one of the two records says.
void remove_stale(const fs::path& folder, const Json& record, const Json& files) {
  for (const auto& [name, hash] : record["files"].items())
    if (!files.contains(name) || files[name] != hash) fs::remove(folder / name);
}

/// An option may have been forgotten.
void tell_of_another_program(const fs::path& folder, const Json& record,
                             const std::string& program_hash) {
  if (record.contains("program_hash") && record["program_hash"] != program_hash)
    say_aside(fmt::format(
        "note: `{}` held the project of another program, of other options perhaps; it is "
        "replaced\n",
        folder.string()));
}

/// Adds non-default choices to the project's README.
void tell_changes(std::vector<codegen::SourceFile>& sources, const ChosenMachine& chosen) {
  const std::string changes = chosen.choices.changes();
  if (changes.empty()) return;
  std::ranges::find(sources, "README.md", &codegen::SourceFile::name)->text +=
      fmt::format("\nMade from Paraiso's `{}`, problem `{}`, with the options {}.\n", chosen.name,
                  chosen.problem, changes);
}

int emit(const Session& session, const EmitOptions& options) {
  const runtime::Backend& backend = backend_of(options.building);
  if (options.mpi && backend.chooses_device)
    throw WrongCall(fmt::format("`--mpi` needs `--backend {}`: `{}` has the whole grid",
                                runtime::default_backend().name, options.building.backend));
  const plan::Target target = target_of(options.building);
  const fs::path folder = options.output;
  const ChosenMachine chosen = choose_machine(session, options.machine);
  const passes::Fused fused = build_program(chosen.machine, options.building);
  const plan::Plan plan = plan_of(fused, options.building);
  codegen::GenerateOptions generate;
  generate.standalone = true;
  generate.mpi = options.mpi;
  if (options.mpi)
    generate.steps_at_once = runtime::steps_for_one_exchange(fused.machine, fused.fusion);
  if (target.name != plan::kNative) generate.target = target;
  auto sources = backend.generate(plan, generate);
  tell_changes(sources, chosen);

  const Json before = record_of_ours(folder);
  Json files = Json::object();
  for (const auto& source : sources) files[source.name] = hex(fnv1a(source.text));
  runtime::make_folder(folder);
  tell_of_another_program(folder, before, om::program_hash(fused.machine));
  remove_stale(folder, before, files);
  // The record is written first: if we are interrupted, the folder is still known as ours.
  runtime::write_file(folder / kRecord,
                      json_text(Json{{"command", session.command},
                                     {"problem", chosen.problem},
                                     {"choices", choices_json(chosen.choices)},
                                     {"program_hash", om::program_hash(fused.machine)},
                                     {"schedule_hash", plan::schedule_hash(plan.schedule)},
                                     {"target", target.name},
                                     {"numbers", passes::name(options.building.numbers)},
                                     {"files", files}}) +
                          "\n");
  for (const auto& source : sources) {
    runtime::write_file(folder / source.name, source.text);
    fmt::print("{}\n", (folder / source.name).string());
  }
  fmt::print("build it: cmake -S {0} -B {1} && cmake --build {1}\n", shell_word(folder.string()),
             shell_word((folder / "build").string()));
  return kSuccess;
}

}  // namespace

void declare_emit(CLI::App& command, Session& session) {
  const auto options = std::make_shared<EmitOptions>();
  declare_machine(command, options->machine);
  command
      .add_option("--output", options->output, "an empty or new folder, or one written by `emit`")
      ->required()
      ->type_name("DIR");
  command.add_flag("--mpi", options->mpi, "also for processes of MPI that share a grid");
  command
      .add_option("--backend", options->building.backend,
                  fmt::format("{}", fmt::join(runtime::backend_names(), ", ")))
      ->type_name("B");
  declare_schedule(command, options->building);
  declare_numbers(command, options->building);
  declare_target(command, options->building);
  declare_fusion(command, options->building);
  declare_versions(command, options->building.versions, true);
  command.callback(
      [&session, options] { session.chosen = [&, options] { return emit(session, *options); }; });
}

}  // namespace paraiso::cli
