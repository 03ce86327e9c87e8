#include "paraiso/runtime/calibrate/watched_probe.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "paraiso/base/clock.hpp"

namespace paraiso::runtime {
namespace {

/// Each thread's file begins with two numbers of nanoseconds: how long it ran, and how long it
/// waited to run (Linux, Documentation/scheduler/sched-stats).
double waited_to_run() {
  double all = 0;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
    double ran = 0, waited = 0;
    std::ifstream(thread.path() / "schedstat") >> ran >> waited;
    all += waited;
  }
  return 1e-9 * all;
}

}  // namespace

Watch this_process() { return {waited_to_run, steady_seconds}; }

double WatchedProbe::operator()(const char* name, double bytes, int threads) {
  ++samples_;
  double fastest = -1;
  for (int tries = 1;; ++tries) {
    const double waited = watch_.waited(), start = watch_.seconds();
    fastest = std::max(fastest, probe_(name, bytes, threads));
    const double took = watch_.seconds() - start;
    if (tries > 1) repeated_ += took;
    if (watch_.waited() - waited <= kLostPart * threads * took) return fastest;
    if (tries == kMostTries || repeated_ >= kMostSeconds) break;
  }
  ++disturbed_;
  return fastest;
}

}  // namespace paraiso::runtime
