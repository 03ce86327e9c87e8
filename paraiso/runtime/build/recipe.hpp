// recipe: everything that decides the contents of a compiled library; its hash is the cache's key.
// Gives: Ingredients, recipe, support_files, support_recipe, header_recipe. Needs: toolchain,
// kernel_compiler, codegen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paraiso/codegen/generate.hpp"
#include "paraiso/runtime/build/kernel_compiler.hpp"
#include "paraiso/runtime/build/toolchain.hpp"

namespace paraiso::runtime {

struct Ingredients {
  Toolchain toolchain;
  std::string optimization;  // "-O3"
  plan::Target target;
  std::string host;  // `fingerprint`: code is compiled for exactly this CPU
  // Of kernels in sources of their own.
  std::optional<KernelCompiler> kernels = {};
  std::vector<codegen::SourceFile> files;
};

/// JSON text that differs whenever the library may differ; it includes the plugin interface's
/// version. Comments in the sources do not count: schedules with the same code share a library.
[[nodiscard]] std::string recipe(const Ingredients& ingredients);

/// The sources that the library's support is compiled from: those that are no program's.
[[nodiscard]] std::vector<codegen::SourceFile> support_files(const Ingredients& ingredients);
/// The same of the support's object.
[[nodiscard]] std::string support_recipe(const Ingredients& ingredients);
/// The same of a header that is precompiled with these flags.
[[nodiscard]] std::string header_recipe(const Ingredients& ingredients,
                                        const codegen::SourceFile& header,
                                        const std::vector<std::string>& flags);

}  // namespace paraiso::runtime
