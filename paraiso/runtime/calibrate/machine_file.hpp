// A machine as a file: its measurements, as JSON that people can read.
// Gives: MachineFile, machine_text, parse_machine, read_machine. Needs: machine_model, file.
#pragma once

#include <filesystem>
#include <string>

#include "paraiso/plan/cost/machine_model.hpp"

namespace paraiso::runtime {

struct MachineFile {
  plan::MachineModel machine;
  std::string target, compiler, host;  // the conditions of the measurement
  bool busy = false;                   // other programs ran meanwhile: rates may be too low
};

[[nodiscard]] std::string machine_text(const MachineFile& file);

/// A file may also have `constants`, of ModelConstants, instead of the ones for all machines: for
/// experiments (bench/predicted.py --leave-one-out). Throws Error, naming `name`, if it is no such
/// file or has a value that no machine has.
[[nodiscard]] MachineFile parse_machine(const std::string& text, const std::string& name);
[[nodiscard]] MachineFile read_machine(const std::filesystem::path& path);

}  // namespace paraiso::runtime
