// Numbers that the environment gives a test. Gives: setting, every_build. Needs: nothing.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace paraiso::test {

inline std::int64_t setting(const char* name, std::int64_t fallback) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : fallback;
}

/// Whether what some compilers build for some targets is asked of each of them for each of these,
/// as scripts/test-long.sh does. By itself the suite takes pairs that have each compiler and each
/// target once.
inline bool every_build() { return setting("PARAISO_EVERY_BUILD", 0) != 0; }

}  // namespace paraiso::test
