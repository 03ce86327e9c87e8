// Toolchain: a C++ compiler that can build generated code on this machine.
// Gives: Toolchain, find_toolchain, kernel_flags, support_flags, link_flags, openmp_problem,
// MoreSources, compile_support, source_flags, precompiled_name, precompile, build_library,
// ToolchainReport, survey_toolchain(s), toolchain_names.
// Needs: process, target.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/process/process.hpp"

namespace paraiso::runtime {

struct Toolchain {
  std::string name;            // as the user names it: "g++", "clang++"
  std::filesystem::path path;  // "/usr/bin/g++"
  std::string version;         // first line of `--version`
  bool clang = false;
  int major = 0;  // of its version; 0: unknown
};

/// Throws Error if there is none of that name (names the Debian package that has it), or if it does
/// not answer `--version`. Whether it has OpenMP is not tried: see `openmp_problem`.
[[nodiscard]] Toolchain find_toolchain(const std::string& name);

/// Flags for the kernel source: full speed on the target, and nothing that changes a value.
/// `optimization` is one flag, or several separated by spaces.
[[nodiscard]] std::vector<std::string> kernel_flags(const Toolchain& toolchain,
                                                    const std::string& optimization,
                                                    const plan::Target& target);
/// Flags for the support source: library calls stay calls, so that they give the interpreter's
/// bits.
[[nodiscard]] std::vector<std::string> support_flags(const Toolchain& toolchain,
                                                     const plan::Target& target);
/// Flags that link the two into a shared object.
[[nodiscard]] std::vector<std::string> link_flags();

/// Why the compiler can't build an OpenMP library, with the package to install; empty if it can.
/// Found by building one.
[[nodiscard]] std::string openmp_problem(const Toolchain& toolchain);

/// Kernels of devices in sources of their own. A C++ compiler's objects are linked with the rest;
/// what nvcc makes of NAME.cu, or hipcc of NAME.hip, the C++ sources take in: NAME.fatbin.
struct MoreSources {
  std::vector<std::string> files;
  std::filesystem::path compiler;       // nvcc, hipcc; empty: the C++ compiler
  std::vector<std::string> flags;       // of that
  std::vector<std::string> host_flags;  // of the C++ sources
};

/// Compiles the source named `support` in `folder` and gives its object, there. Throws Error with
/// the compiler's first lines.
std::filesystem::path compile_support(const Toolchain& toolchain, const plan::Target& target,
                                      const std::filesystem::path& folder,
                                      const std::string& support,
                                      double timeout_seconds = kHanging);

/// Flags for the C++ sources of such a library: kernel_flags, and those of `more`.
[[nodiscard]] std::vector<std::string> source_flags(const Toolchain& toolchain,
                                                    const std::string& optimization,
                                                    const plan::Target& target,
                                                    const MoreSources& more);

/// "HEADER.gch", which `precompile` makes.
[[nodiscard]] std::string precompiled_name(const std::string& header);

/// In `folder`, makes HEADER.gch: what the compiler reads instead of `header` in sources that are
/// compiled with these flags and include it before anything else. Throws Error if it can't.
void precompile(const Toolchain& toolchain, const std::vector<std::string>& flags,
                const std::filesystem::path& folder, const std::string& header);

/// In `folder`, compiles the sources named `kernels` one by one and links them into `library.so`
/// with the object that `support()` gives, called meanwhile, and with `more`, whose files are
/// compiled side by side. Throws Error with the compiler's first lines; the sources stay where they
/// are. `precompiled`, if not empty, is HEADER.gch of a header that all `kernels` include first.
void build_library(const Toolchain& toolchain, const std::string& optimization,
                   const plan::Target& target, const std::filesystem::path& folder,
                   const std::vector<std::string>& kernels,
                   const std::function<std::filesystem::path()>& support,
                   double timeout_seconds = kHanging, const MoreSources& more = {},
                   const std::filesystem::path& precompiled = {});
/// The same with one source of kernels and the source named `support` in `folder`.
void build_library(const Toolchain& toolchain, const std::string& optimization,
                   const plan::Target& target, const std::filesystem::path& folder,
                   const std::string& kernels, const std::string& support,
                   double timeout_seconds = kHanging);

/// For `doctor`: each compiler that Paraiso knows, found or not, and what to install.
struct ToolchainReport {
  std::string name;
  bool usable = false;
  std::string path, version;  // empty if not found
  std::string problem;        // the error's text if not usable
  std::string works;          // what was tried where it is: "OpenMP works"
};
[[nodiscard]] ToolchainReport survey_toolchain(const std::string& name);
[[nodiscard]] std::vector<ToolchainReport> survey_toolchains();
/// The compilers that Paraiso knows.
[[nodiscard]] std::vector<std::string> toolchain_names();

}  // namespace paraiso::runtime
