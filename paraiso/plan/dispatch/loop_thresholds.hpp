// The thresholds that every program has whose loops are threads': from how many nanoseconds on they
// share a loop, and from how many bytes on they store past the caches.
// Gives: least_shared_threshold, streaming_threshold, loop_thresholds, LoopsAndVersions,
// of_loops_and_versions. Needs: dispatch.
//
//   heat.least_shared <= nanoseconds of the longest loops, on one thread
//   heat.streaming    <= bytes of all arrays that the loops of a kernel read or write
#pragma once

#include "paraiso/plan/dispatch/dispatch.hpp"

namespace paraiso::plan {

[[nodiscard]] std::string least_shared_threshold(const om::Machine& machine);
[[nodiscard]] std::string streaming_threshold(const om::Machine& machine);
/// Both names.
[[nodiscard]] std::vector<std::string> loop_thresholds(const om::Machine& machine);

/// A tuning in two parts.
struct LoopsAndVersions {
  Thresholds loops, versions;
};
[[nodiscard]] LoopsAndVersions of_loops_and_versions(const Thresholds& tuning,
                                                     const om::Machine& machine);

}  // namespace paraiso::plan
