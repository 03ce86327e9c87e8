// take_steps: the methods of a device's class that take many steps while the host waits once, where
// scalars are on the device. Gives: declare_take_steps, define_take_steps. Needs: device_module.
#pragma once

#include "paraiso/codegen/device/lower/device_module.hpp"

namespace paraiso::codegen {

/// Both are empty where the host computes scalars.
[[nodiscard]] std::string declare_take_steps(const DeviceModule& device);
/// `layer` is the namespace of the device's memory.
[[nodiscard]] std::string define_take_steps(const DeviceModule& device, const std::string& layer);

}  // namespace paraiso::codegen
