#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "paraiso/runtime/transport/processor_time.hpp"
#include "paraiso/runtime/transport/spare_buffers.hpp"
#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {
namespace {

// To wake a thread that sleeps takes some 50 microseconds, on a virtual machine 100, and a step may
// have five messages that somebody waits for.
constexpr auto kSoon = std::chrono::milliseconds(2);

/// The first failure of any rank.
class FirstFailure {
 public:
  void set(const Failure& why) {
    const std::lock_guard lock(mutex_);
    if (!why_) why_ = why;
  }
  /// To be called where there is one.
  [[nodiscard]] Failure get() const {
    const std::lock_guard lock(mutex_);
    return *why_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Failure> why_;
};

/// What has been sent to one rank and not been received.
class Mailbox {
 public:
  void put(int from, Bytes message) {
    {
      const std::lock_guard lock(mutex_);
      messages_[from].push_back(std::move(message));
    }
    changed_.notify_one();
  }

  /// None once it is closed. `awake`: does not sleep at once.
  std::optional<Bytes> take(int from, bool awake) {
    std::unique_lock lock(mutex_);
    auto& queue = messages_[from];
    const auto is_here = [&] { return closed_ || !queue.empty(); };
    if (awake) look_again(lock, is_here);
    changed_.wait(lock, is_here);
    if (closed_) return std::nullopt;
    Bytes message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

 private:
  template <class Predicate>
  static void look_again(std::unique_lock<std::mutex>& lock, const Predicate& is_here) {
    const auto end = std::chrono::steady_clock::now() + kSoon;
    while (!is_here() && std::chrono::steady_clock::now() < end) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, std::deque<Bytes>> messages_;  // by sender
  bool closed_ = false;
};

struct Shared {
  explicit Shared(int ranks)
      : mailboxes(static_cast<std::size_t>(ranks)),
        each_has_processor(static_cast<unsigned>(ranks) <= std::thread::hardware_concurrency()) {}
  std::vector<Mailbox> mailboxes;
  const bool each_has_processor;
  FirstFailure failure;
};

class InProcess : public Transport {
 public:
  InProcess(std::shared_ptr<Shared> shared, int rank) : shared_(std::move(shared)), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(shared_->mailboxes.size()); }
  [[nodiscard]] std::string host(int) const override { return {}; }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override { return spare_.take(bytes); }
  void send(int to, Bytes message) override { at(to).put(rank_, std::move(message)); }
  [[nodiscard]] Bytes receive(int from) override {
    const double start = processor_seconds();
    auto message = at(rank_).take(from, shared_->each_has_processor);
    waited_ += processor_seconds() - start;
    if (message) return std::move(*message);
    throw Abandoned(shared_->failure.get());
  }
  [[nodiscard]] double waited() const override { return waited_; }
  void release(Bytes buffer) override { spare_.put(std::move(buffer)); }
  void abandon(const Failure& why) noexcept override {
    shared_->failure.set(why);
    for (Mailbox& mailbox : shared_->mailboxes) mailbox.close();
  }

 private:
  [[nodiscard]] Mailbox& at(int rank) const {
    return shared_->mailboxes[static_cast<std::size_t>(rank)];
  }

  std::shared_ptr<Shared> shared_;
  int rank_;
  double waited_ = 0;
  SpareBuffers spare_;  // of messages that others sent
};

}  // namespace

std::vector<std::unique_ptr<Transport>> in_process_ranks(int ranks) {
  const auto shared = std::make_shared<Shared>(ranks);
  std::vector<std::unique_ptr<Transport>> ends;
  for (int rank = 0; rank < ranks; ++rank)
    ends.push_back(std::make_unique<InProcess>(shared, rank));
  return ends;
}

}  // namespace paraiso::runtime
