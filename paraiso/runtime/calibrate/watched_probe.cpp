#include "paraiso/runtime/calibrate/watched_probe.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

namespace paraiso::runtime {

Watch this_process() {
  return {[] {
            rusage usage{};
            getrusage(RUSAGE_SELF, &usage);
            return static_cast<std::int64_t>(usage.ru_nivcsw);
          },
          [] {
            const auto now = std::chrono::steady_clock::now().time_since_epoch();
            return std::chrono::duration<double>(now).count();
          }};
}

double WatchedProbe::operator()(const char* name, double bytes, int threads) {
  ++samples_;
  double fastest = -1;
  for (int tries = 1;; ++tries) {
    const std::int64_t preemptions = watch_.preemptions();
    const double start = watch_.seconds();
    fastest = std::max(fastest, probe_(name, bytes, threads));
    if (tries > 1) repeated_ += watch_.seconds() - start;
    if (watch_.preemptions() == preemptions) return fastest;
    if (tries == kMostTries || repeated_ >= kMostSeconds) break;
  }
  ++disturbed_;
  return fastest;
}

}  // namespace paraiso::runtime
