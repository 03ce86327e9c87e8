// The compilers that generated code may be built with: a build with sanitizers has its own alone.
// Gives: usable_compilers. Needs: toolchain.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "paraiso/runtime/build/toolchain.hpp"

namespace paraiso::test {

/// One at least, or nothing generated can be tested. Asked once: each of them is tried.
inline const std::vector<std::string>& usable_compilers() {
  static const std::vector<std::string> usable = [] {
    std::vector<std::string> names;
    for (const auto& report : runtime::survey_toolchains())
      if (report.usable) names.push_back(report.name);
    if (names.empty()) throw std::runtime_error("no compiler works here: see `paraiso doctor`");
    return names;
  }();
  return usable;
}

}  // namespace paraiso::test
