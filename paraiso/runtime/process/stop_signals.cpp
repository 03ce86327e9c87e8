#include "paraiso/runtime/process/stop_signals.hpp"

#include <time.h>

namespace paraiso::runtime {
namespace {

volatile sig_atomic_t received_signal = 0;

volatile sig_atomic_t terminate_seconds = 0;  // when the first SIGTERM came; 0: none has

/// SIGTERMs within so many seconds are one: at a time limit Slurm and its srun each send one.
constexpr time_t kOneStop = 10;

void note(int signal) { received_signal = signal; }

void note_termination(int signal) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (terminate_seconds == 0) {
    terminate_seconds = static_cast<sig_atomic_t>(now.tv_sec + 1);  // never 0
  } else if (now.tv_sec + 1 - terminate_seconds > kOneStop) {
    ::signal(signal, SIG_DFL);
    raise(signal);  // arrives when this handler returns
  }
  received_signal = signal;
}

}  // namespace

StopSignals::StopSignals(bool enabled) : enabled_(enabled) {
  received_signal = 0;
  terminate_seconds = 0;
  if (!enabled_) return;
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &interrupt_before_);
  action.sa_handler = note_termination;
  action.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &action, &terminate_before_);
}

StopSignals::~StopSignals() {
  if (!enabled_) return;
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
}

void StopSignals::pass_on(int signal) {
  if (received_signal == 0) received_signal = signal;
}

int StopSignals::received() const { return received_signal; }

void StopSignals::throw_if_received() const {
  if (received() != 0) throw Stopped();
}

}  // namespace paraiso::runtime
