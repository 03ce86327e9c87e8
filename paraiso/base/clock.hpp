// The wall clock, for dates in files. Gives: now. Needs: nothing.
#pragma once

#include <chrono>

namespace paraiso {

/// Seconds since 1970.
inline double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace paraiso
