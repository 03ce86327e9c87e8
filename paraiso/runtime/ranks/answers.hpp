// LateAnswers: rank 0's end of a transport, where answers of other ranks are awaited later than
// they are asked for. Gives: LateAnswers. Needs: Transport.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

/// Messages of a rank arrive in the order in which it sent them. So an answer that is expected is
/// taken before whatever is received of that rank next, or when all are asked for.
class LateAnswers : public Transport {
 public:
  using Taken = std::function<void(int rank, const Bytes& answer)>;

  explicit LateAnswers(Transport& end)
      : end_(end), expected_(static_cast<std::size_t>(end.ranks())) {}

  /// That each other rank will answer. So many of a rank's are expected at most: this waits for
  /// those before.
  void expect(Taken taken);
  /// Waits for all that are expected.
  void take_all();

  [[nodiscard]] int rank() const override { return end_.rank(); }
  [[nodiscard]] int ranks() const override { return end_.ranks(); }
  [[nodiscard]] std::string host(int rank) const override { return end_.host(rank); }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override { return end_.buffer(bytes); }
  void send(int to, Bytes message) override { end_.send(to, std::move(message)); }
  void carry_on(bool awaits) override { end_.carry_on(awaits); }
  [[nodiscard]] Bytes receive(int from) override {
    take(from, 0);
    return end_.receive(from);
  }
  [[nodiscard]] double waited() const override { return end_.waited(); }
  void release(Bytes buffer) override { end_.release(std::move(buffer)); }
  void abandon(const Failure& why) noexcept override { end_.abandon(why); }

 private:
  static constexpr std::size_t kMostExpected = 64;

  /// All but `left` of a rank's.
  void take(int from, std::size_t left);

  Transport& end_;
  std::vector<std::deque<std::shared_ptr<const Taken>>> expected_;  // by rank
};

inline void LateAnswers::expect(Taken taken) {
  const auto shared = std::make_shared<const Taken>(std::move(taken));
  for (int rank = 1; rank < ranks(); ++rank) {
    take(rank, kMostExpected - 1);
    expected_[static_cast<std::size_t>(rank)].push_back(shared);
  }
}

inline void LateAnswers::take_all() {
  for (int rank = 1; rank < ranks(); ++rank) take(rank, 0);
}

inline void LateAnswers::take(int from, std::size_t left) {
  auto& expected = expected_[static_cast<std::size_t>(from)];
  while (expected.size() > left) {
    Bytes answer = end_.receive(from);
    const auto taken = expected.front();
    expected.pop_front();
    if (*taken) (*taken)(from, answer);
    end_.release(std::move(answer));
  }
}

}  // namespace paraiso::runtime
