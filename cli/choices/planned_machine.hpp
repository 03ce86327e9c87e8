// Which machine plans are made for: the file of `--machine` or of $PARAISO_MACHINE, or else this
// machine by its own measurement. Gives: MachineLookup, ToolchainLookup, declare_planned_machine,
// planned_machine, machine_for, OwnMachine, own_machine. Needs: session, runtime/calibrate.
#pragma once

#include <functional>

#include "cli/call/session.hpp"
#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/calibrate/machine_file.hpp"

namespace paraiso::cli {

/// Called only if something is planned: with a whole schedule given, there is no measurement to
/// wait for.
using MachineLookup = std::function<plan::MachineModel()>;

/// Called only if this machine is measured. Throws Error if there is none.
using ToolchainLookup = std::function<runtime::Toolchain()>;

void declare_planned_machine(CLI::App& command, std::string& file);

/// The machine of `file`, if that is not empty; else of the environment; else this machine as
/// measured with that toolchain for that target: measured now if it never was before, which is
/// reported on standard error. If that fails, the documented machine, which is reported too.
/// Vectors and registers are the target's. Throws WrongCall for a file that is missing or invalid.
/// Looked up once per process.
[[nodiscard]] plan::MachineModel planned_machine(const std::string& file,
                                                 const plan::Target& target,
                                                 const ToolchainLookup& toolchain);

/// The same with the device that a back end's programs would run on. Where that is a graphics card,
/// or none is here, this machine is not measured.
[[nodiscard]] plan::MachineModel machine_for(const runtime::Backend& backend,
                                             const std::string& file, const plan::Target& target,
                                             const ToolchainLookup& toolchain);

/// The stored measurement of this machine; measured if there is none, only a damaged one, or one
/// beside other programs that is ten minutes old.
struct OwnMachine {
  runtime::MachineFile file;
  std::filesystem::path path;
};
[[nodiscard]] OwnMachine own_machine(const runtime::Toolchain& toolchain,
                                     const plan::Target& target, bool anew = false);

}  // namespace paraiso::cli
