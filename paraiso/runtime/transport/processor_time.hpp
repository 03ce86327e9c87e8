// processor_time: how long a processor has worked for this thread. Gives: processor_seconds.
// Needs: nothing.
#pragma once

#include <time.h>

namespace paraiso::runtime {

/// Of this thread; sleeping takes none.
[[nodiscard]] inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace paraiso::runtime
