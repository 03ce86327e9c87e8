// TuneWatch: the line on standard error that shows how far a tuning is.
// Gives: TuneWatch. Needs: tuner, progress_line.
#pragma once

#include "paraiso/tune/evaluate/progress_line.hpp"
#include "paraiso/tune/tuner.hpp"

namespace paraiso::cli {

/// Rewritten in place on a terminal; else a line for each new best individual.
class TuneWatch {
 public:
  /// `budget` (individuals; 0: no limit) or `minutes` ends the tuning; gains are relative to the
  /// start, whose name is `start_name`.
  TuneWatch(std::int64_t budget, double minutes, std::string start_name);
  ~TuneWatch();
  TuneWatch(const TuneWatch&) = delete;
  TuneWatch& operator=(const TuneWatch&) = delete;

  /// With the start's speed, if it is known.
  void tell(const tune::TunerEvent& event, std::optional<double> start);
  [[nodiscard]] bool time_is_over() const;
  /// Prints below the line why the search has ended, and the failures.
  void finish(const std::string& why);

 private:
  void show();
  void end_line();
  void tell_failures() const;

  tune::TuningProgress progress_;
  double started_;
  bool terminal_, shown_ = false;
  std::map<std::string, std::string> sources_;  // of the last failure of a kind
};

}  // namespace paraiso::cli
