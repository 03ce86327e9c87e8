// working_toolchain: whether a compiler works here, and which of those that Paraiso knows do.
// Gives: toolchain_works, working_toolchains. Needs: toolchain, cache.
//
// Trying one takes as long as compiling a small program. So what has worked is remembered in the
// cache folder, by the compiler's path and version; where it does not work any more, what is
// compiled with it says why.
#pragma once

#include <string>
#include <vector>

namespace paraiso::runtime {

/// Whether it is here and builds OpenMP libraries.
[[nodiscard]] bool toolchain_works(const std::string& name);

/// In the order of `survey_toolchains`. Asked once per process.
[[nodiscard]] const std::vector<std::string>& working_toolchains();

}  // namespace paraiso::runtime
