// generate: what every back end gives, and its options.
// Gives: SourceFile, GenerateOptions, nvcc_flags, hipcc_flags, emulation_flags. Needs: targets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paraiso/plan/target.hpp"

namespace paraiso::codegen {

struct SourceFile {
  std::string name;  // "hydro.cpp"
  std::string text;
};

struct GenerateOptions {
  std::string class_name;  // empty: the machine's name, mangled where C++ reserves it
  bool plugin = false;  // also the extern "C" entry points that the runtime loads (see plugin.hpp)
  bool standalone = false;  // also CMakeLists.txt, an example main.cpp and README.md
  bool mpi = false;         // with `standalone`: also what processes of MPI need to share a grid
  int steps_at_once = 1;    // with `mpi`: for which one exchange is to do, if it can
  // For `standalone`: what the library is built for by default; none: the machine that builds it.
  std::optional<plan::Target> target = {};
};

/// With which nvcc rounds each operation as IEEE 754 says.
[[nodiscard]] inline std::vector<std::string> nvcc_flags() {
  return {"--fmad=false", "-ftz=false", "-prec-div=true", "-prec-sqrt=true"};
}

/// The same, of hipcc.
[[nodiscard]] inline std::vector<std::string> hipcc_flags() {
  return {"-O3", "-ffp-contract=off", "-fhip-fp32-correctly-rounded-divide-sqrt",
          "-fno-gpu-flush-denormals-to-zero"};
}

/// By which a C++ compiler makes functions of kernels: not what g++ simplifies wrongly and
/// compilers of devices don't. From -O2 on, -x / y beside x / y is wrong for the least x; and if it
/// need not mind traps, it makes one truncation, which keeps -0, of a conversion to an integer and
/// back.
[[nodiscard]] inline std::vector<std::string> emulation_flags() {
  return {"-O1", "-ftrapping-math"};
}

}  // namespace paraiso::codegen
