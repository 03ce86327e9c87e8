// The back ends of devices that tests ask: OpenCL on the device that is opened, CUDA's text on the
// device `emulated`. Gives: DeviceBackend, device_backends, PARAISO_NEEDS_BACKEND. Needs: opened,
// backend.
#pragma once

#include <cstdlib>

#include "paraiso/runtime/backend/backend.hpp"
#include "tests/device/opened.hpp"

namespace paraiso {

struct DeviceBackend {
  const char* name;
  const char* device;  // $PARAISO_DEVICE; nullptr: unset

  /// Why nothing runs; else its device is chosen for this process.
  [[nodiscard]] std::string missing() const {
    unsetenv("PARAISO_DEVICE");
    if (!device) return opened().device ? "" : opened().why;
    setenv("PARAISO_DEVICE", device, 1);
    return "";
  }
  [[nodiscard]] const runtime::Backend& row() const { return *runtime::find_backend(name); }
};

inline constexpr DeviceBackend kDeviceBackends[] = {{"opencl", nullptr}, {"cuda", "emulated"}};

inline void PrintTo(const DeviceBackend& backend, std::ostream* out) { *out << backend.name; }

}  // namespace paraiso

#define PARAISO_NEEDS_BACKEND(backend) \
  if (const std::string why = (backend).missing(); !why.empty()) GTEST_SKIP() << "SKIP: " << why
