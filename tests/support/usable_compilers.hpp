// The compilers that generated code may be built with: a build with sanitizers has its own alone.
// Gives: usable_compilers. Needs: working_toolchain.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "paraiso/runtime/backend/working_toolchain.hpp"

namespace paraiso::test {

/// One at least, or nothing generated can be tested.
inline const std::vector<std::string>& usable_compilers() {
  if (runtime::working_toolchains().empty())
    throw std::runtime_error("no compiler works here: see `paraiso doctor`");
  return runtime::working_toolchains();
}

}  // namespace paraiso::test
