#include "paraiso/runtime/transport/mpi_transport.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>
#include <utility>

#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/transport/mpi_functions.h"
#include "paraiso/runtime/transport/processor_time.hpp"

namespace paraiso::runtime {
namespace {

constexpr int kMessage = 1, kFailure = 2, kSignal = 3;  // tags
constexpr std::size_t kSpareBuffers = 64;  // more are sent than received on some ranks
constexpr unsigned kLookAfter = 64;        // messages, on a rank 0 that never waits

volatile sig_atomic_t signal_to_tell = 0;

/// Waits a little longer each time.
class Patience {
 public:
  void wait() {
    ++times_;
    if (times_ < 1000) return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(times_ / 20, 1000)));
  }

 private:
  int times_ = 0;
};

}  // namespace

MpiTransport::MpiTransport(const paraiso_mpi_functions& mpi, int rank,
                           std::vector<std::string> hosts, std::size_t piece)
    : mpi_(mpi), rank_(rank), hosts_(std::move(hosts)), piece_(piece) {}

Bytes MpiTransport::buffer(std::size_t bytes) {
  Bytes buffer;
  if (!spare_.empty()) {
    buffer = std::move(spare_.back());
    spare_.pop_back();
  }
  buffer.resize(bytes);
  return buffer;
}

void MpiTransport::release(Bytes buffer) {
  if (spare_.size() < kSpareBuffers) spare_.push_back(std::move(buffer));
}

void MpiTransport::pass_signals_on() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { signal_to_tell = signal; };
  action.sa_flags = SA_RESTART;
  for (const int stop : {SIGINT, SIGTERM}) sigaction(stop, &action, nullptr);
}

void MpiTransport::pass_signal_on() {
  const int signal = std::exchange(signal_to_tell, 0);
  if (signal != 0) send(0, kSignal, Bytes(1, static_cast<char>(signal)));
}

/// Of other ranks, on rank 0.
void MpiTransport::heed_signals() {
  for (int from = -1; mpi_.arrived(&from, kSignal) >= 0; from = -1)
    StopSignals::pass_on(take(from, kSignal, 1)[0]);
}

void MpiTransport::send(int to, Bytes message) { send(to, kMessage, std::move(message)); }

/// A piece of full length has another behind it, which may be empty.
void MpiTransport::send(int to, int tag, Bytes message) {
  collect_sent();
  const auto shared = std::make_shared<Bytes>(std::move(message));
  for (std::size_t done = 0;; done += piece_) {
    const std::size_t count = std::min(piece_, shared->size() - done);
    void* request = mpi_.send(shared->data() + done, static_cast<int>(count), to, tag);
    if (request == nullptr) throw std::bad_alloc();
    sent_.push_back({request, shared});
    if (count < piece_) return;
  }
}

void MpiTransport::collect_sent() {
  std::erase_if(sent_, [&](Sent& one) {
    if (mpi_.sent(one.request) == 0) return false;
    if (one.message.use_count() == 1) release(std::move(*one.message));
    return true;
  });
}

void MpiTransport::flush() {
  if (rank_ == 0) heed_signals();
  for (Patience patience; !sent_.empty(); patience.wait()) collect_sent();
}

Bytes MpiTransport::take(int from, int tag, int count) {
  Bytes message = buffer(static_cast<std::size_t>(count));
  mpi_.receive(message.data(), count, from, tag);
  return message;
}

void MpiTransport::throw_if_told() {
  int from = -1;
  if (mpi_.arrived(&from, kFailure) < 0) return;
  abandoned_ = true;
  const Bytes told = receive(from, kFailure);
  const auto end = std::ranges::find(told, '\0');
  throw Abandoned({from, std::string(told.begin(), end),
                   end == told.end() ? "" : std::string(end + 1, told.end())});
}

/// Gives the bytes of the piece that is there.
int MpiTransport::wait_for(int from, int tag) {
  for (Patience patience;; patience.wait()) {
    const int count = mpi_.arrived(&from, tag);
    if (count >= 0) return count;
    collect_sent();
    if (rank_ == 0 && tag == kMessage) throw_if_told();
    if (rank_ == 0) heed_signals();
  }
}

int MpiTransport::awaited(int from, int tag) {
  const double start = processor_seconds();
  const int count = wait_for(from, tag);
  waited_ += processor_seconds() - start;
  return count;
}

Bytes MpiTransport::receive(int from, int tag) {
  Bytes message = take(from, tag, awaited(from, tag));
  for (std::size_t last = message.size(); last == piece_;) {
    const Bytes more = take(from, tag, awaited(from, tag));
    last = more.size();
    message.insert(message.end(), more.begin(), more.end());
  }
  return message;
}

Bytes MpiTransport::receive(int from) {
  if (rank_ > 0)
    pass_signal_on();
  else if (++received_ % kLookAfter == 0)
    heed_signals();
  return receive(from, kMessage);
}

void MpiTransport::abandon(const Failure& why) noexcept {
  abandoned_ = true;
  if (rank_ == 0) return;
  try {
    std::string text = why.message + '\0' + why.hint;
    send(0, kFailure, Bytes(text.begin(), text.end()));
    flush();
  } catch (const std::exception&) {
    mpi_.abort(1);
  }
}

}  // namespace paraiso::runtime
