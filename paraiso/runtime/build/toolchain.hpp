// Toolchain: a C++ compiler that can build generated code on this machine.
// Gives: Toolchain, find_toolchain, build_library, ToolchainReport, survey_toolchains. Needs:
// process, target.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "paraiso/plan/target.hpp"

namespace paraiso::runtime {

struct Toolchain {
  std::string name;            // as asked for: "g++", "clang++"
  std::filesystem::path path;  // "/usr/bin/g++"
  std::string version;         // first line of `--version`
  bool clang = false;
  int major = 0;  // of its version; 0: not known
};

/// Throws Error where there is none of that name (with the Debian package that has it), where it
/// does not answer `--version`, or where it lacks OpenMP (with the package).
[[nodiscard]] Toolchain find_toolchain(const std::string& name);

/// Flags for the kernel source: full speed on the target, and nothing that changes a value.
/// `optimization` is one of them, or several with a space between two.
[[nodiscard]] std::vector<std::string> kernel_flags(const Toolchain& toolchain,
                                                    const std::string& optimization,
                                                    const plan::Target& target);
/// Flags for the support source: library calls stay calls, so that they give the interpreter's
/// bits.
[[nodiscard]] std::vector<std::string> support_flags(const Toolchain& toolchain,
                                                     const plan::Target& target);
/// Flags that make the shared object of the two.
[[nodiscard]] std::vector<std::string> link_flags(const Toolchain& toolchain);

/// What keeps the compiler from building an OpenMP library, with the package to install; empty if
/// nothing does. Found by building one.
[[nodiscard]] std::string openmp_problem(const Toolchain& toolchain);

/// In `folder`, compiles the sources named `kernels` and `support` apart and links them into
/// `library.so`. Throws Error with the compiler's first lines; the sources stay where they are.
void build_library(const Toolchain& toolchain, const std::string& optimization,
                   const plan::Target& target, const std::filesystem::path& folder,
                   const std::string& kernels, const std::string& support,
                   double timeout_seconds = 600);

/// For `doctor`: each compiler that Paraiso knows, found or not, and what to install.
struct ToolchainReport {
  std::string name;
  bool usable = false;
  std::string path, version;  // empty where not found
  std::string problem;        // the error's text where not usable
};
[[nodiscard]] std::vector<ToolchainReport> survey_toolchains();

}  // namespace paraiso::runtime
