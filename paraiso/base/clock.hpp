// The time of day, as what is kept in files is dated. Gives: now.
#pragma once

#include <chrono>

namespace paraiso {

/// Seconds since 1970.
inline double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace paraiso
