// A graphics card of CUDA, and kernels in CUDA C++ as text that nvcc compiles for it.
// Gives: no_card, CardSource. Needs: cuda_layer, nvcc.
#pragma once

#include <string>

#include "paraiso/support/device/cuda_layer.hpp"

namespace paraiso {

/// Why no kernel of CUDA runs on a card here; empty if one does.
const std::string& no_card();

/// The first card, which paraiso_cuda::survey lists first.
inline paraiso_cuda::Device first_card() { return paraiso_cuda::Device("0"); }

class CardSource {
 public:
  /// Throws with what nvcc says.
  CardSource(const std::string& text, const std::string& architecture);

  [[nodiscard]] paraiso_cuda::Program load(const paraiso_cuda::Device& device) const {
    return {device, "text", {compiled_.data(), nullptr}};
  }

 private:
  std::string compiled_;
};

}  // namespace paraiso
