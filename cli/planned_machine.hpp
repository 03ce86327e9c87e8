// Which machine is planned for: the file of `--machine` or of $PARAISO_MACHINE, or else this one as
// it has measured itself. Gives: MachineLookup, declare_planned_machine, planned_machine,
// OwnMachine, own_machine. Needs: session, runtime/calibrate.
#pragma once

#include <functional>

#include "cli/session.hpp"
#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/calibrate/machine_file.hpp"

namespace paraiso::cli {

/// Asked only where something is planned: who gives a whole schedule waits for no measurement.
using MachineLookup = std::function<plan::MachineModel()>;

void declare_planned_machine(CLI::App& command, std::string& file);

/// As `file` says, if it is not empty; else the environment; else what this machine has measured
/// with that compiler for that target, now if it never did before, which is told on standard error.
/// Where that can't be, the documented machine, which is told, too. Vectors and registers are the
/// target's. Throws WrongCall for a file that is not there or wrong. Looked up once a process.
[[nodiscard]] plan::MachineModel planned_machine(const std::string& file,
                                                 const plan::Target& target,
                                                 const std::function<std::string()>& compiler);

/// What is kept of this machine, measured where there is nothing, or nothing sound.
struct OwnMachine {
  runtime::MachineFile file;
  std::filesystem::path path;
};
[[nodiscard]] OwnMachine own_machine(const runtime::Toolchain& toolchain,
                                     const plan::Target& target, bool anew = false);

}  // namespace paraiso::cli
