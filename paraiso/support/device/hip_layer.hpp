// HIP as generated solvers use it: what CUDA's layer is, for cards that ROCm drives.
// Gives: Device, Memory, Program, Kernel, Image, survey, chosen in paraiso_hip. Needs: cuda_layer;
// libamdhip64.so where it runs.
#pragma once

#include <string>
#include <vector>

#include "paraiso/support/device/cuda_layer.hpp"

namespace paraiso_hip {

using paraiso_cuda::EmulatedKernels;
using paraiso_cuda::Image;
using paraiso_cuda::Kernel;
using paraiso_cuda::Memory;
using paraiso_cuda::Program;

extern const paraiso_cuda::Interface hip_interface;

class Device : public paraiso_cuda::Device {
 public:
  explicit Device(const std::string& wanted = "") : paraiso_cuda::Device(wanted, hip_interface) {}
};

inline std::vector<paraiso_support::DeviceReport> survey(std::string& why) {
  return paraiso_cuda::survey(why, hip_interface);
}

inline paraiso_support::DeviceReport chosen(const std::string& wanted = "") {
  return paraiso_cuda::chosen(wanted, hip_interface);
}

}  // namespace paraiso_hip
