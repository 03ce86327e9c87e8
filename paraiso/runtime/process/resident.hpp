// resident_bytes: the memory that this process has at present, its program and libraries included.
// Gives: resident_bytes. Needs: /proc.
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <fstream>

namespace paraiso::runtime {

/// After what was freed, such as a planner's, has gone back to the system.
[[nodiscard]] inline double resident_bytes() {
  malloc_trim(0);
  double all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace paraiso::runtime
