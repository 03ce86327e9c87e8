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
constexpr unsigned kLookAfter = 64;  // messages, on a rank 0 that never waits

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
    : mpi_(mpi),
      rank_(rank),
      hosts_(std::move(hosts)),
      piece_(piece),
      any_thread_(mpi.any_thread() != 0) {}

Bytes MpiTransport::buffer(std::size_t bytes) {
  meanwhile_.stop();
  return spare_.take(bytes);
}

void MpiTransport::release(Bytes buffer) {
  meanwhile_.stop();
  spare_.put(std::move(buffer));
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

void MpiTransport::send(int to, Bytes message) {
  meanwhile_.stop();
  send(to, kMessage, std::move(message));
}

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
    if (mpi_.done(one.request) == 0) return false;
    if (one.message.use_count() == 1) spare_.put(std::move(*one.message));
    return true;
  });
}

void MpiTransport::carry_on(bool awaits) {
  meanwhile_.stop();
  collect_sent();
  awaits_ = awaits;
  if (any_thread_ && (awaits_ || !sent_.empty())) meanwhile_.start();
}

/// What comes is received at once, or the bytes of a long message would stay where they are.
bool MpiTransport::move_on() {
  collect_sent();
  int from = -1;
  for (int count; (count = mpi_.arrived(&from, kMessage)) >= 0; from = -1)
    start_receiving(from, count);
  return awaits_ || !sent_.empty();
}

void MpiTransport::start_receiving(int from, int count) {
  std::deque<Early>& pieces = early_[from];
  Early piece{spare_.take(static_cast<std::size_t>(count))};
  pieces.push_back(std::move(piece));
  Early& last = pieces.back();
  last.request = mpi_.start_receiving(last.message.data(), count, from, kMessage);
  if (last.request != nullptr) return;
  pieces.pop_back();
  throw std::bad_alloc();
}

void MpiTransport::flush() {
  meanwhile_.stop();
  if (rank_ == 0) heed_signals();
  for (Patience patience; !sent_.empty(); patience.wait()) collect_sent();
}

Bytes MpiTransport::take(int from, int tag, int count) {
  Bytes message = spare_.take(static_cast<std::size_t>(count));
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

template <class Ready>
void MpiTransport::wait_until(const Ready& ready, int tag) {
  const double start = processor_seconds();
  for (Patience patience; !ready(); patience.wait()) {
    collect_sent();
    if (rank_ == 0 && tag == kMessage) throw_if_told();
    if (rank_ == 0) heed_signals();
  }
  waited_ += processor_seconds() - start;
}

Bytes MpiTransport::next_piece(int from, int tag) {
  std::deque<Early>& early = early_[from];
  if (tag != kMessage || early.empty()) {
    int count = -1;
    wait_until([&] { return (count = mpi_.arrived(&from, tag)) >= 0; }, tag);
    return take(from, tag, count);
  }
  wait_until([&] { return mpi_.done(early.front().request) != 0; }, tag);
  Bytes piece = std::move(early.front().message);
  early.pop_front();
  return piece;
}

Bytes MpiTransport::receive(int from, int tag) {
  Bytes message = next_piece(from, tag);
  for (std::size_t last = message.size(); last == piece_;) {
    const Bytes more = next_piece(from, tag);
    last = more.size();
    message.insert(message.end(), more.begin(), more.end());
  }
  return message;
}

Bytes MpiTransport::receive(int from) {
  meanwhile_.stop();
  if (rank_ > 0)
    pass_signal_on();
  else if (++received_ % kLookAfter == 0)
    heed_signals();
  return receive(from, kMessage);
}

void MpiTransport::abandon(const Failure& why) noexcept {
  abandoned_ = true;
  meanwhile_.stop();
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
