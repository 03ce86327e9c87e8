// live_line: how far a tuning is, in a line. Gives: TuningProgress, live_line. Needs: nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace paraiso::tune {

struct TuningProgress {
  std::int64_t measured = 0;   // individuals, by this run
  std::int64_t budget = 0;     // of them; 0: not counted
  double seconds = 0;          // since the beginning
  double seconds_allowed = 0;  // 0: any
  double best = 0;             // scores in cell updates per second; 0: none succeeded
  double start = 0;            // 0: not measured
  std::string start_name;      // "the default"
  std::map<std::string, int> births, failures;  // by method, by reason
};

/// Time is left until the first of what ends the tuning: the minutes, or the individuals, if they
/// take on as long as they did.
[[nodiscard]] std::string live_line(const TuningProgress& progress);

}  // namespace paraiso::tune
