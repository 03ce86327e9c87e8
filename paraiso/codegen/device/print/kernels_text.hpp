// kernels_text: all kernels of a module as one source of a dialect, with all that they need.
// Gives: kernels_text. Needs: DeviceModule, Dialect.
#pragma once

#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/device/lower/device_module.hpp"

namespace paraiso::codegen {

[[nodiscard]] std::string kernels_text(const DeviceModule& module, const Dialect& dialect);

}  // namespace paraiso::codegen
