// watched_probe: a probe that asks again where other programs took the processor meanwhile.
// Gives: Sampler, Watch, this_process, WatchedProbe. Needs: nothing.
#pragma once

#include <functional>

namespace paraiso::runtime {

/// As Probe; it may have a state.
using Sampler = std::function<double(const char* name, double bytes, int threads)>;

/// What tells of other programs.
struct Watch {
  // So far, of all threads that measure: seconds that they wanted a processor and had none.
  std::function<double()> waited;
  std::function<double()> seconds;  // a clock
};

/// Of this process, from Linux's statistics of its scheduler; a system without them tells nothing.
[[nodiscard]] Watch this_process();

/// Repeats a sample during which its threads lost more than kLostPart of their time, at most
/// kMostTries times in all, and keeps the fastest: other programs only make a rate lower. Repeats
/// take at most kMostSeconds together.
class WatchedProbe {
 public:
  static constexpr int kMostTries = 3;
  static constexpr double kMostSeconds = 1;
  // The system has work of its own on an idle machine, too.
  static constexpr double kLostPart = 0.05;
  static constexpr double kBusyPart = 0.25;

  WatchedProbe(Sampler probe, Watch watch) : probe_(std::move(probe)), watch_(std::move(watch)) {}

  double operator()(const char* name, double bytes, int threads);

  /// More than kBusyPart of the samples lost time in each of their tries.
  [[nodiscard]] bool busy() const { return disturbed_ > kBusyPart * samples_; }

 private:
  Sampler probe_;
  Watch watch_;
  double samples_ = 0, disturbed_ = 0;  // of these, in each of their tries
  double repeated_ = 0;                 // seconds
};

}  // namespace paraiso::runtime
