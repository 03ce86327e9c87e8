// watched_probe: a probe that asks again where other programs took the processor meanwhile.
// Gives: Sampler, Watch, this_process, WatchedProbe. Needs: nothing.
#pragma once

#include <cstdint>
#include <functional>

namespace paraiso::runtime {

/// As Probe; it may have a state.
using Sampler = std::function<double(const char* name, double bytes, int threads)>;

/// What tells of other programs.
struct Watch {
  std::function<std::int64_t()> preemptions;  // so far, of all threads that measure
  std::function<double()> seconds;            // a clock
};

/// Of this process: the system counts how often it took the processor from a thread.
[[nodiscard]] Watch this_process();

/// Repeats a sample during which a thread was preempted, at most kMostTries times in all, and keeps
/// the fastest: other programs only make a rate lower. Repeats take at most kMostSeconds together.
class WatchedProbe {
 public:
  static constexpr int kMostTries = 3;
  static constexpr double kMostSeconds = 2;
  // The system has work of its own on an idle machine, too.
  static constexpr double kBusyPart = 0.25;

  WatchedProbe(Sampler probe, Watch watch) : probe_(std::move(probe)), watch_(std::move(watch)) {}

  double operator()(const char* name, double bytes, int threads);

  /// More than kBusyPart of the samples were preempted in each of their tries.
  [[nodiscard]] bool busy() const { return disturbed_ > kBusyPart * samples_; }

 private:
  Sampler probe_;
  Watch watch_;
  double samples_ = 0, disturbed_ = 0;  // of these, in each of their tries
  double repeated_ = 0;                 // seconds
};

}  // namespace paraiso::runtime
