// The wall clock, for dates in files, and a steady one, for durations. Gives: now, steady_seconds.
// Needs: nothing.
#pragma once

#include <chrono>

namespace paraiso {

/// Seconds since 1970.
inline double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Of a clock that nobody sets.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace paraiso
