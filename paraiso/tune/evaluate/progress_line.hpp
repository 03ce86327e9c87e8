// progress_line: the state of a tuning in one line.
// Gives: TuningProgress, progress_line. Needs: nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace paraiso::tune {

struct TuningProgress {
  std::int64_t measured = 0;   // individuals, by this run
  std::int64_t budget = 0;     // the limit; 0: none
  double seconds = 0;          // since the beginning
  double seconds_allowed = 0;  // 0: no limit
  double best = 0;             // scores in cell updates per second; 0: none succeeded
  double start = 0;            // 0: not measured
  std::string start_name;      // "the default"
  std::map<std::string, int> births, failures;  // by method, by reason
};

/// The time left runs until the tuning's first limit: the minutes, or the individuals at the speed
/// so far.
[[nodiscard]] std::string progress_line(const TuningProgress& progress);

}  // namespace paraiso::tune
