// KernelCompiler: what compiles kernels that lie in a source of their own: nvcc for a card, or the
// C++ compiler that compiles the rest, for the device `emulated`.
// Gives: KernelCompiler, emulation, find_nvcc, survey_nvcc, compile_kernels. Needs: toolchain,
// process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "paraiso/runtime/build/toolchain.hpp"

namespace paraiso::runtime {

struct KernelCompiler {
  std::filesystem::path path;  // of nvcc; empty: the C++ compiler
  std::string version;         // "13.0"
  std::string architecture;    // of the card: "sm_90"

  /// Kernels become functions of the processor.
  [[nodiscard]] bool emulates() const { return path.empty(); }
  /// Of nvcc: each operation rounded as IEEE 754 says, the host's part by that compiler.
  [[nodiscard]] std::vector<std::string> flags(const Toolchain& host) const;
  /// Of the C++ sources that use the kernels.
  [[nodiscard]] std::vector<std::string> host_flags() const;
};

[[nodiscard]] inline KernelCompiler emulation() { return {}; }

/// From PATH, else from $CUDA_PATH/bin, else from /usr/local/cuda/bin. Throws Error with what to
/// install if there is none or it is older than 12.
[[nodiscard]] KernelCompiler find_nvcc(const std::string& architecture);
/// For `doctor`.
[[nodiscard]] ToolchainReport survey_nvcc();

}  // namespace paraiso::runtime
