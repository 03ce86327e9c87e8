// generate: a plan in, the text of a standalone C++/OpenMP library out.
// Gives: SourceFile, GenerateOptions, generate_openmp. Needs: plan, CLARIS.
#pragma once

#include <optional>

#include "paraiso/plan/plan.hpp"
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
  // Of `standalone`, what the library is built for unless told; none: the machine that builds it.
  std::optional<plan::Target> target = {};
};

/// NAME.hpp, NAME.cpp, paraiso_support.hpp, paraiso_support.cpp, and what the options ask for.
/// Nothing that is generated includes Paraiso.
[[nodiscard]] std::vector<SourceFile> generate_openmp(const plan::Plan& plan,
                                                      const GenerateOptions& options = {});

}  // namespace paraiso::codegen
