// Progress: the line that shows how far a run is.
// Gives: ProgressState, progress_line, Progress, speed_text, duration_text. Needs: nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace paraiso::runtime {

struct ProgressState {
  std::int64_t step = 0;
  std::optional<double> time, time_step;    // if the machine has them
  double cell_updates_per_second = 0;       // since the last line
  std::optional<double> remaining_seconds;  // if it can be estimated
};

/// `step 1234 | time 0.25 | dt 1.2e-04 | 12.3 M cells/s | 3 min 20 s left`
[[nodiscard]] std::string progress_line(const ProgressState& state);
/// "2 h 05 min", "3 min 20 s", "12 s".
[[nodiscard]] std::string duration_text(double seconds);
/// "12.3 M cells/s".
[[nodiscard]] std::string speed_text(double cells_per_second);

/// Writes lines to standard error: rewritten in place on a terminal, else one below the other.
class Progress {
 public:
  explicit Progress(bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const ProgressState& state);
  /// Prints a line of its own, above the progress line.
  void say(const std::string& text);
  /// Ends the progress line.
  void finish();

 private:
  bool enabled_, terminal_, open_ = false;
};

}  // namespace paraiso::runtime
