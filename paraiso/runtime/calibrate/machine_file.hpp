// A machine as a file: what was measured of it, as JSON that people can read.
// Gives: MachineFile, machine_text, parse_machine, read_machine. Needs: machine_model, file.
#pragma once

#include <filesystem>
#include <string>

#include "paraiso/plan/cost/machine_model.hpp"

namespace paraiso::runtime {

struct MachineFile {
  plan::MachineModel machine;
  std::string target, compiler, host;  // what it was measured with, and where
};

[[nodiscard]] std::string machine_text(const MachineFile& file);

/// A file may also have `constants`, of ModelConstants, which else are those of all machines: for
/// experiments (bench/predicted.py --leave-one-out). Throws Error, naming `name`, for what is no
/// such file or has a value that no machine has.
[[nodiscard]] MachineFile parse_machine(const std::string& text, const std::string& name);
[[nodiscard]] MachineFile read_machine(const std::filesystem::path& path);

}  // namespace paraiso::runtime
