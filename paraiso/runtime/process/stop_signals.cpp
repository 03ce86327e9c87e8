#include "paraiso/runtime/process/stop_signals.hpp"

namespace paraiso::runtime {
namespace {

volatile sig_atomic_t received_signal = 0;

void note(int signal) { received_signal = signal; }

}  // namespace

StopSignals::StopSignals(bool enabled) : enabled_(enabled) {
  received_signal = 0;
  if (!enabled_) return;
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &interrupt_before_);
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
