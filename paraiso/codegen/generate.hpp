// generate: what every back end makes of a plan, and how it is told. Gives: SourceFile,
// GenerateOptions. Needs: targets.
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
  // Of `standalone`, what the library is built for unless told; none: the machine that builds it.
  std::optional<plan::Target> target = {};
};

}  // namespace paraiso::codegen
