// The targets that generated code may be made for here: what $PARAISO_TARGET asks for, else native
// and each level that this machine has.
// Gives: usable_targets. Needs: target.
#pragma once

#include <string>
#include <vector>

#include "paraiso/runtime/system/target.hpp"

namespace paraiso::test {

inline std::vector<std::string> usable_targets() {
  std::vector<std::string> names{runtime::default_target()};
  if (names[0] != plan::kNative) return names;
  for (const std::string& level : runtime::runnable_levels()) names.push_back(level);
  return names;
}

}  // namespace paraiso::test
