// recipe: all that decides what a compiled library will be; the compile cache's key is its hash.
// Gives: Ingredients, recipe. Needs: toolchain, codegen.
#pragma once

#include <string>
#include <vector>

#include "paraiso/codegen/generate.hpp"
#include "paraiso/runtime/build/toolchain.hpp"

namespace paraiso::runtime {

struct Ingredients {
  Toolchain toolchain;
  std::string optimization;  // "-O3"
  plan::Target target;
  std::string host;  // `fingerprint`: code is made for this very CPU
  std::vector<codegen::SourceFile> files;
};

/// JSON text that differs wherever the library may; the plugin interface's version is in it, too.
/// Comments in the sources do not count: schedules that have the same code share a library.
[[nodiscard]] std::string recipe(const Ingredients& ingredients);

}  // namespace paraiso::runtime
