// The layers that kernels as text are tested on: OpenCL, CUDA's emulation, and a card of CUDA's.
// Gives: OpenClLayer, EmulatedLayer, CardLayer, PARAISO_NEEDS_LAYER. Needs: opened, emulated, card.
#pragma once

#include <memory>

#include "tests/device/card.hpp"
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

struct CudaLayer {
  using Memory = paraiso_cuda::Memory;
  using Program = paraiso_cuda::Program;
  using Kernel = paraiso_cuda::Kernel;
  static constexpr const char* dialect = "cuda";
};

struct EmulatedLayer : CudaLayer {
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

struct CardLayer : CudaLayer {
  static std::string missing() { return no_card(); }
  static const paraiso_cuda::Device& device() {
    static const paraiso_cuda::Device one = first_card();
    return one;
  }

  struct Built {
    CardSource compiled;
    Program program;
    Built(const std::string& source, const std::vector<std::string>&,
          const std::vector<std::string>&)
        : compiled(source, device().report().architecture), program(compiled.load(device())) {}
  };
};

}  // namespace paraiso

#define PARAISO_NEEDS_LAYER(Layer) \
  if (!Layer::missing().empty()) GTEST_SKIP() << "SKIP: " << Layer::missing()
