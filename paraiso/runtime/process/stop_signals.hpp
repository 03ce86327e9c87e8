// StopSignals: Ctrl-C and SIGTERM as a flag that a loop can query.
// Gives: StopSignals, Stopped. Needs: POSIX signals.
#pragma once

#include <signal.h>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {

/// Thrown by code that must end at once.
class Stopped : public Error {
 public:
  Stopped() : Error("stopped by a signal") {}
};

/// While one lives, the first SIGINT or SIGTERM is only noted; a second one of the same kind ends
/// the process as usual, a SIGTERM only ten seconds after the first: who ends a job may send
/// several. At most one per process.
class StopSignals {
 public:
  explicit StopSignals(bool enabled);
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
  /// As if it had been received, unless one was: for a signal to another process of this run.
  static void pass_on(int signal);
  /// The signal received, or 0.
  [[nodiscard]] int received() const;
  /// Throws Stopped if a signal was received.
  void throw_if_received() const;

 private:
  bool enabled_;
  struct sigaction interrupt_before_ = {}, terminate_before_ = {};
};

}  // namespace paraiso::runtime
