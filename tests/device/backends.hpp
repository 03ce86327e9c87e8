// The back ends of devices that tests ask: OpenCL on the device that is opened, CUDA's text on the
// device `emulated`, and on a card where there is one.
// Gives: DeviceBackend, device_backends, test_build, quick_build, PARAISO_NEEDS_BACKEND.
// Needs: opened, card, backend, setting.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

#include "paraiso/runtime/backend/backend.hpp"
#include "tests/device/card.hpp"
#include "tests/device/opened.hpp"
#include "tests/support/setting.hpp"

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

/// How tests build: OpenCL's kernels are optimized, as users have them.
inline runtime::CompileOptions test_build() {
  runtime::CompileOptions options;
  options.optimization = "-O1";
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  return options;
}

/// For many kernels of any schedule: OpenCL's are not optimized, which takes PoCL a quarter of the
/// time. PARAISO_OPTIMIZED=1 has them optimized, too.
inline runtime::CompileOptions quick_build(const runtime::Backend& backend) {
  runtime::CompileOptions options = test_build();
  const bool is_opencl = std::string_view(backend.name) == "opencl";
  if (is_opencl && test::setting("PARAISO_OPTIMIZED", 0) == 0) options.optimization = "-O0";
  return options;
}

inline void PrintTo(const DeviceBackend& backend, std::ostream* out) { *out << backend.label; }

}  // namespace paraiso

#define PARAISO_NEEDS_BACKEND(backend) \
  if (const std::string why = (backend).missing(); !why.empty()) GTEST_SKIP() << "SKIP: " << why
