// Kernels in CUDA C++ as text, compiled by a C++ compiler for the device `emulated`.
// Gives: EmulatedSource, emulated_device, SetOrder. Needs: cuda_layer, a compiler.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "paraiso/support/device/cuda_layer.hpp"

namespace paraiso {

/// Invariant: `image` is of a library that stays loaded as long as this lives.
class EmulatedSource {
 public:
  /// `with_barriers` and `without` name the kernels. Throws with what the compiler says.
  EmulatedSource(const std::string& text, const std::vector<std::string>& with_barriers,
                 const std::vector<std::string>& without = {});
  ~EmulatedSource();
  EmulatedSource(const EmulatedSource&) = delete;
  EmulatedSource& operator=(const EmulatedSource&) = delete;

  [[nodiscard]] const paraiso_cuda::Image& image() const { return image_; }
  [[nodiscard]] paraiso_cuda::Program load(const paraiso_cuda::Device& device) const {
    return {device, "text", image_};
  }

 private:
  void* library_ = nullptr;
  paraiso_cuda::Image image_{};
};

inline paraiso_cuda::Device emulated_device() { return paraiso_cuda::Device("emulated"); }

/// $PARAISO_EMULATION as long as this lives; read when a device is opened.
class SetOrder {
 public:
  explicit SetOrder(const std::string& order) { setenv("PARAISO_EMULATION", order.c_str(), 1); }
  ~SetOrder() { unsetenv("PARAISO_EMULATION"); }
  SetOrder(const SetOrder&) = delete;
  SetOrder& operator=(const SetOrder&) = delete;
};

}  // namespace paraiso
