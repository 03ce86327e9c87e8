#include "cli/choices/planned_machine.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <map>

#include "cli/choices/hardware_choice.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/calibrate/calibrate.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::cli {
namespace {

constexpr const char* kVariable = "PARAISO_MACHINE";
// What was measured while other programs ran serves so long before a command measures again.
constexpr std::chrono::minutes kBusyLasts{10};

plan::MachineModel machine_of_file(const std::string& file, const std::string& who) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw WrongCall(Error(fmt::format("{}: no such file", who))
                        .with_hint("`paraiso calibrate --output FILE` writes one"));
  if (is_hardware(file)) return choose_hardware(file).first();
  return as_wrong_call([&] { return runtime::read_machine(file).machine; });
}

/// The stored file, unless it is damaged, which is reported.
std::optional<runtime::MachineFile> kept(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  try {
    return runtime::read_machine(path);
  } catch (const Error& error) {
    say_aside(fmt::format("note: {}: measuring again\n", error.diagnostics()[0].message));
    return std::nullopt;
  }
}

/// Where it is kept, or that it is not: then each command measures.
std::string keep(const std::filesystem::path& path, const std::string& text) {
  try {
    runtime::write_file(path, text);
    return fmt::format("`{}`", path.string());
  } catch (const runtime::CannotWrite& error) {
    return fmt::format("not kept, {}", error.diagnostics()[0].message);
  }
}

bool worth_measuring_again(const runtime::MachineFile& file, const std::filesystem::path& path) {
  const auto age = std::filesystem::file_time_type::clock::now() - last_write_time(path);
  return file.busy && age > kBusyLasts;
}

plan::MachineModel this_or_documented(const plan::Target& target,
                                      const ToolchainLookup& toolchain) {
  try {
    runtime::require_runnable(target);
    return own_machine(toolchain(), target).file.machine;
  } catch (const Error& error) {
    say_aside(fmt::format("note: planned for {}, since this one can't be measured: {}\n",
                          plan::documented_machine().processor, error.diagnostics()[0].message));
    return plan::documented_machine();
  }
}

plan::MachineModel look_up(const std::string& file, const plan::Target& target,
                           const ToolchainLookup& toolchain) {
  if (!file.empty()) return machine_of_file(file, fmt::format("`--machine {}`", file));
  if (const std::string named = runtime::environment(kVariable); !named.empty())
    return machine_of_file(named, fmt::format("`{}={}`", kVariable, named));
  return this_or_documented(target, toolchain);
}

}  // namespace

void declare_planned_machine(CLI::App& command, std::string& file) {
  command.add_option("--machine", file, "plan for the machine in FILE; default: this one")
      ->type_name("FILE");
}

plan::MachineModel planned_machine(const std::string& file, const plan::Target& target,
                                   const ToolchainLookup& toolchain) {
  static std::map<std::pair<std::string, std::string>, plan::MachineModel> known;
  const std::pair key(file, target.name);
  auto found = known.find(key);
  if (found == known.end()) found = known.emplace(key, look_up(file, target, toolchain)).first;
  plan::MachineModel machine = found->second;
  machine.vector_bytes = target.vector_bytes;
  machine.registers = target.vector_registers;
  return machine;
}

plan::MachineModel machine_for(const runtime::Backend& backend, const std::string& file,
                               const plan::Target& target, const ToolchainLookup& toolchain) {
  const auto processor = [&] { return planned_machine(file, target, toolchain); };
  if (!file.empty()) (void)processor();  // throws where it can't be read
  return backend.machine(processor);
}

OwnMachine own_machine(const runtime::Toolchain& toolchain, const plan::Target& target, bool anew) {
  const auto path = runtime::kept_machine_path(toolchain, target);
  const auto earlier = anew ? std::nullopt : kept(path);
  const bool can_keep = runtime::Cache(path.parent_path()).writable();
  if (earlier && (!can_keep || !worth_measuring_again(*earlier, path))) return {*earlier, path};
  const auto start = std::chrono::steady_clock::now();
  runtime::MachineFile file = runtime::calibrate(toolchain, target);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  // Still busy: no better than the earlier values, and other values would mean other plans.
  if (earlier && file.busy) file = *earlier;
  const std::string text = runtime::machine_text(file);
  const std::string where = keep(path, text);
  say_aside(fmt::format("measured this machine {}, with {} for {}, in {:.1f} s: {}\n",
                        earlier ? "again" : "once", toolchain.name, target.name, seconds.count(),
                        where));
  if (file.busy)
    say_aside(
        fmt::format("note: other programs were running: a command that plans measures again "
                    "after {} minutes\n",
                    kBusyLasts.count()));
  // Parsed from its text, rounded as it will be read from now on.
  return {runtime::parse_machine(text, path.string()), path};
}

}  // namespace paraiso::cli
