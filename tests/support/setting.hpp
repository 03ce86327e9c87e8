// Numbers that the environment gives a test. Gives: setting. Needs: nothing.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace paraiso::test {

inline std::int64_t setting(const char* name, std::int64_t fallback) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : fallback;
}

}  // namespace paraiso::test
