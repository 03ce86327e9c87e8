// TuneWatch: the line on standard error that tells how far a tuning is.
// Gives: TuneWatch. Needs: tuner.
#pragma once

#include <map>

#include "paraiso/tune/tuner.hpp"

namespace paraiso::cli {

/// Rewritten in place on a terminal; else a line for each new best individual.
class TuneWatch {
 public:
  /// One of `budget` (individuals; 0: not counted) and `minutes` ends the tuning; gains are told
  /// over `start`.
  TuneWatch(std::int64_t budget, double minutes, plan::Genome start);
  ~TuneWatch();
  TuneWatch(const TuneWatch&) = delete;
  TuneWatch& operator=(const TuneWatch&) = delete;

  void tell(const tune::TunerEvent& event);
  [[nodiscard]] bool time_is_over() const;
  /// Which failures there were, a line for each kind, at the end.
  void tell_failures();

 private:
  void show(const tune::History& history);
  void end_line();
  [[nodiscard]] std::string counts() const;
  [[nodiscard]] std::string gain(const tune::History& history) const;

  std::int64_t budget_;
  double minutes_, started_;
  plan::Genome start_;
  bool terminal_, shown_ = false;
  std::int64_t measured_ = 0;
  double best_ = 0;
  std::map<std::string, int> births_, failures_;
  std::map<std::string, std::string> sources_;  // of the last failure of a kind
};

}  // namespace paraiso::cli
