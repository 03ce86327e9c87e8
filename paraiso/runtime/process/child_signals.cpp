#include "paraiso/runtime/process/child_signals.hpp"

#include <signal.h>

#include <mutex>

namespace paraiso::runtime {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile sig_atomic_t noted = 0;

void note_stop(int) { noted = 1; }

std::mutex lock;  // several threads may wait for programs
int living = 0;

/// Replaces the action of a signal, if it is `from`.
void exchange(int signal, void (*from)(int), void (*to)(int)) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler != from) return;
  action.sa_handler = to;
  sigaction(signal, &action, nullptr);
}

}  // namespace

ChildSignals::ChildSignals() {
  const std::lock_guard hold(lock);
  if (living++ > 0) return;
  for (const int signal : kSignals) exchange(signal, SIG_DFL, note_stop);
}

ChildSignals::~ChildSignals() {
  const std::lock_guard hold(lock);
  if (--living > 0) return;
  for (const int signal : kSignals) exchange(signal, note_stop, SIG_DFL);
}

bool ChildSignals::stopped() { return noted != 0; }

}  // namespace paraiso::runtime
