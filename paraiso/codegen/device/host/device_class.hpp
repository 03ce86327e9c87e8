// device_class: the host's side of a module on a device: the class that every back end prints,
// whose arrays lie on the device and whose kernels are launched there.
// Gives: print_device_header, print_device_source. Needs: DeviceModule, Dialect.
#pragma once

#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/device/lower/device_module.hpp"

namespace paraiso::codegen {

[[nodiscard]] std::string print_device_header(const DeviceModule& module, const Dialect& dialect);
[[nodiscard]] std::string print_device_source(const DeviceModule& module, const Dialect& dialect);

}  // namespace paraiso::codegen
