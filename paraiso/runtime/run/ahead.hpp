// Ahead: how many steps a device is told before the host waits for it.
// Gives: kMostAhead, Ahead. Needs: nothing.
//
// Enough that waiting costs little, and few enough that a run soon sees signals and shows progress.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace paraiso::runtime {

/// Calls of which a device is told at most before the host waits for it.
inline constexpr std::int64_t kMostAhead = 256;

class Ahead {
 public:
  [[nodiscard]] std::int64_t steps() const { return steps_; }

  /// Whether one more is the last before the host waits.
  [[nodiscard]] bool is_last() { return ++told_ >= steps_; }

  /// The device has just finished all of them: next time it is told more, or fewer.
  void finished() {
    const auto now = Clock::now();
    const double spent = std::chrono::duration<double>(now - since_).count();
    if (spent < kLeastSeconds) steps_ = std::min(2 * steps_, kMostAhead);
    if (spent > kMostSeconds) steps_ = std::max<std::int64_t>(steps_ / 2, 1);
    since_ = now;
    told_ = 0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kLeastSeconds = 0.1, kMostSeconds = 0.4;  // between two waits

  std::int64_t steps_ = 1, told_ = 0;
  Clock::time_point since_ = Clock::now();
};

}  // namespace paraiso::runtime
