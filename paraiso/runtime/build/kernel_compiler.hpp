// KernelCompiler: what compiles kernels that lie in a source of their own: nvcc or hipcc for a
// card, or the C++ compiler that compiles the rest, for the device `emulated`. Gives:
// KernelCompiler, emulation, find_nvcc, find_hipcc, survey_nvcc, survey_hipcc. Needs: toolchain,
// process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "paraiso/runtime/build/toolchain.hpp"

namespace paraiso::runtime {

struct KernelCompiler {
  std::filesystem::path path;  // empty: the C++ compiler
  std::string version;         // "13.0"
  // What it is called with, so that each operation is rounded as IEEE 754 says.
  std::vector<std::string> own_flags;
  bool asks_host = false;  // the host's part of a source is compiled by the C++ compiler

  /// Kernels become functions of the processor.
  [[nodiscard]] bool emulates() const { return path.empty(); }
  /// Beside that C++ compiler.
  [[nodiscard]] std::vector<std::string> flags(const Toolchain& host) const;
  /// Of the C++ sources that use the kernels.
  [[nodiscard]] std::vector<std::string> host_flags() const;
};

[[nodiscard]] inline KernelCompiler emulation() { return {}; }

/// For an architecture, "sm_90", from PATH, else from $CUDA_PATH/bin, else from
/// /usr/local/cuda/bin. Throws Error with what to install if there is none or it is older than 12.
[[nodiscard]] KernelCompiler find_nvcc(const std::string& architecture);
/// The same of ROCm, for "gfx90a": $ROCM_PATH/bin, /opt/rocm/bin; not older than 5.
[[nodiscard]] KernelCompiler find_hipcc(const std::string& architecture);
/// For `doctor`.
[[nodiscard]] ToolchainReport survey_nvcc();
[[nodiscard]] ToolchainReport survey_hipcc();

}  // namespace paraiso::runtime
