// StopSignals: Ctrl-C and SIGTERM as a question that a loop can ask.
// Gives: StopSignals, Stopped. Needs: POSIX signals.
#pragma once

#include <signal.h>

namespace paraiso::runtime {

/// Thrown by what is to end at once.
struct Stopped {};

/// While one lives, the first SIGINT or SIGTERM is only noted; a second one of its kind ends the
/// process as usual. One at a time in a process.
class StopSignals {
 public:
  explicit StopSignals(bool enabled);
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
  /// The signal that came, or 0.
  [[nodiscard]] int received() const;
  /// Throws Stopped where one came.
  void throw_if_received() const;

 private:
  bool enabled_;
  struct sigaction interrupt_before_ = {}, terminate_before_ = {};
};

}  // namespace paraiso::runtime
