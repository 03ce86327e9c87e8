// hardware_choice: the hardware graph of `--machine FILE.dot`, with what is known of its
// processors. Gives: HardwareChoice, choose_hardware. Needs: session, hardware.
#pragma once

#include <string>
#include <vector>

#include "paraiso/hardware/hardware.hpp"
#include "paraiso/plan/cost/machine_model.hpp"

namespace paraiso::cli {

struct HardwareChoice {
  hardware::Hardware hardware;
  std::vector<plan::MachineModel> machines;  // of each component, used for processors
};

/// Measurements of processors are looked for beside the file. Throws WrongCall if the file or one
/// of those is missing or makes no sense.
[[nodiscard]] HardwareChoice choose_hardware(const std::string& file);

}  // namespace paraiso::cli
