// The layers that kernels as text are tested on: OpenCL, and CUDA's emulation.
// Gives: OpenClLayer, EmulatedLayer, PARAISO_NEEDS_LAYER. Needs: opened, emulated.
#pragma once

#include <memory>

#include "tests/device/emulated.hpp"
#include "tests/device/opened.hpp"

namespace paraiso {

struct OpenClLayer {
  using Memory = paraiso_opencl::Memory;
  using Program = paraiso_opencl::Program;
  using Kernel = paraiso_opencl::Kernel;
  static constexpr const char* dialect = "opencl";

  static std::string missing() { return opened().device ? "" : opened().why; }
  static const paraiso_opencl::Device& device() { return *opened().device; }

  /// A source, built.
  struct Built {
    Program program;
    Built(const std::string& source, const std::vector<std::string>&,
          const std::vector<std::string>&)
        : program(device(), "text", source) {}
  };
};

struct EmulatedLayer {
  using Memory = paraiso_cuda::Memory;
  using Program = paraiso_cuda::Program;
  using Kernel = paraiso_cuda::Kernel;
  static constexpr const char* dialect = "cuda";

  static std::string missing() { return ""; }
  static const paraiso_cuda::Device& device() {
    static const paraiso_cuda::Device one("emulated");
    return one;
  }

  struct Built {
    EmulatedSource compiled;
    Program program;
    Built(const std::string& source, const std::vector<std::string>& with_barriers,
          const std::vector<std::string>& without)
        : compiled(source, with_barriers, without), program(compiled.load(device())) {}
  };
};

}  // namespace paraiso

#define PARAISO_NEEDS_LAYER(Layer) \
  if (!Layer::missing().empty()) GTEST_SKIP() << "SKIP: " << Layer::missing()
