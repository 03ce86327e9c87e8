// watch_text: the methods of a class for a device that look for NaN and keep a state there. Gives:
// declare_watch, define_watch. Needs: device_module.
#pragma once

#include <string>

#include "paraiso/codegen/device/lower/device_module.hpp"

namespace paraiso::codegen {

[[nodiscard]] std::string declare_watch();
/// `fields`: `, u_, v_`, all of them.
[[nodiscard]] std::string define_watch(const DeviceModule& device, const std::string& fields);

}  // namespace paraiso::codegen
