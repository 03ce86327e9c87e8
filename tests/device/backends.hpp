// The back ends of devices that tests ask: OpenCL on the device that is opened, CUDA's text on the
// device `emulated`, and on a card where there is one.
// Gives: DeviceBackend, device_backends, PARAISO_NEEDS_BACKEND. Needs: opened, card, backend.
#pragma once

#include <cstdlib>
#include <vector>

#include "paraiso/runtime/backend/backend.hpp"
#include "tests/device/card.hpp"
#include "tests/device/opened.hpp"

namespace paraiso {

struct DeviceBackend {
  const char* label;   // of its tests
  const char* name;    // of the back end
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

inline std::vector<DeviceBackend> device_backends() {
  std::vector<DeviceBackend> all{{"opencl", "opencl", nullptr}, {"cuda", "cuda", "emulated"}};
  if (no_card().empty()) all.push_back({"card", "cuda", "0"});
  return all;
}

inline void PrintTo(const DeviceBackend& backend, std::ostream* out) { *out << backend.label; }

}  // namespace paraiso

#define PARAISO_NEEDS_BACKEND(backend) \
  if (const std::string why = (backend).missing(); !why.empty()) GTEST_SKIP() << "SKIP: " << why
