// hardware_choice: the hardware graph of `--machine FILE.dot`, with what is known of its
// processors. Gives: HardwareChoice, is_hardware, choose_hardware. Needs: session, hardware.
#pragma once

#include <string>
#include <vector>

#include "paraiso/hardware/hardware.hpp"
#include "paraiso/plan/cost/machine_model.hpp"

namespace paraiso::cli {

struct HardwareChoice {
  hardware::Hardware hardware;
  std::vector<plan::MachineModel> machines;  // of each component, used for processors

  /// Of the first processor: what plans are made for.
  [[nodiscard]] const plan::MachineModel& first() const;
};

/// Whether a file of `--machine` is a graph: by its name's end.
[[nodiscard]] inline bool is_hardware(const std::string& file) { return file.ends_with(".dot"); }

/// Measurements of processors are looked for beside the file. Throws WrongCall if the file or one
/// of those is missing or makes no sense.
[[nodiscard]] HardwareChoice choose_hardware(const std::string& file);

}  // namespace paraiso::cli
