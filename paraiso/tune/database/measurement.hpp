// Measurement: how fast one individual is, or why that is unknown.
// Gives: Measurement, measured, upper_median, cannot_win, failed, reason_class. Needs: nothing.
#pragma once

#include <string>
#include <vector>

namespace paraiso::tune {

/// Scores are cell updates per second.
struct Measurement {
  double score = 0;             // the mean of the samples; 0 if the individual failed
  double deviation = 0;         // their sample standard deviation
  std::vector<double> samples;  // one per timed repeat, in order
  std::string reason;           // why it failed; empty if it did not
  std::string schedule_hash;    // of the repaired schedule
  std::string code_hash;        // of the generated source
  // How long it took, as the tuner saw it; 0: it was not done, or nobody knows.
  double compile_seconds = 0;
  double check_seconds = 0;  // the rest of building: generating, checking; all of it if that failed
  double time_seconds = 0;   // checking on the real grid, and timing
  std::string sources;       // where those of a failed one are kept, if at all

  [[nodiscard]] bool ok() const { return reason.empty(); }
  friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// Mean and deviation of at least one sample.
[[nodiscard]] Measurement measured(std::vector<double> samples);
/// Of at least one score; for an even number the better of the middle two.
[[nodiscard]] double upper_median(std::vector<double> scores);
/// Whether further samples are a waste, given another individual's `best` score: the mean plus four
/// standard errors stays below it; or, with too few samples for that, it is far below. False
/// without samples.
[[nodiscard]] bool cannot_win(const std::vector<double>& samples, double best);
/// A score of 0 with its reason, which must not be empty.
[[nodiscard]] Measurement failed(std::string reason);
/// The common part of failures of one kind: the reason up to the first colon, without quoted text,
/// its numbers as `N`.
[[nodiscard]] std::string reason_class(const std::string& reason);

}  // namespace paraiso::tune
