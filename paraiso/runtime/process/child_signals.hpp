// ChildSignals: Ctrl-C and SIGTERM while we wait for a program that we have started.
// Gives: ChildSignals. Needs: POSIX signals.
#pragma once

namespace paraiso::runtime {

/// While one lives, Ctrl-C and SIGTERM, where they would end this process, are only noted: who
/// waits for a program can end it first, and remove what it has left. Others' handlers stay.
class ChildSignals {
 public:
  ChildSignals();
  ChildSignals(const ChildSignals&) = delete;
  ChildSignals& operator=(const ChildSignals&) = delete;
  ~ChildSignals();
  /// Whether one was noted, now or earlier.
  [[nodiscard]] static bool stopped();
};

}  // namespace paraiso::runtime
