#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "paraiso/runtime/ranks/transport.hpp"

namespace paraiso::runtime {
namespace {

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

  Bytes take(int from) {
    std::unique_lock lock(mutex_);
    auto& queue = messages_[from];
    changed_.wait(lock, [&] { return abandoned_ || !queue.empty(); });
    if (abandoned_) throw Abandoned();
    Bytes message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  void abandon() {
    {
      const std::lock_guard lock(mutex_);
      abandoned_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, std::deque<Bytes>> messages_;  // by sender
  bool abandoned_ = false;
};

class InProcess : public Transport {
 public:
  InProcess(std::shared_ptr<std::vector<Mailbox>> all, int rank)
      : all_(std::move(all)), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(all_->size()); }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override {
    Bytes buffer;
    if (!spare_.empty()) {
      buffer = std::move(spare_.back());
      spare_.pop_back();
    }
    buffer.resize(bytes);
    return buffer;
  }
  void send(int to, Bytes message) override { at(to).put(rank_, std::move(message)); }
  [[nodiscard]] Bytes receive(int from) override { return at(rank_).take(from); }
  void release(Bytes buffer) override { spare_.push_back(std::move(buffer)); }
  void abandon() noexcept override {
    for (Mailbox& mailbox : *all_) mailbox.abandon();
  }

 private:
  [[nodiscard]] Mailbox& at(int rank) const { return (*all_)[static_cast<std::size_t>(rank)]; }

  std::shared_ptr<std::vector<Mailbox>> all_;
  int rank_;
  std::vector<Bytes> spare_;  // received earlier: as many are sent as are received
};

}  // namespace

std::vector<std::unique_ptr<Transport>> in_process_ranks(int ranks) {
  const auto all = std::make_shared<std::vector<Mailbox>>(static_cast<std::size_t>(ranks));
  std::vector<std::unique_ptr<Transport>> ends;
  for (int rank = 0; rank < ranks; ++rank) ends.push_back(std::make_unique<InProcess>(all, rank));
  return ends;
}

}  // namespace paraiso::runtime
