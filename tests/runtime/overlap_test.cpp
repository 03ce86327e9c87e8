// Ranks compute while their messages travel: messages that take long cost an overlapped schedule
// next to nothing, and a blocking one all of it.
#include <gtest/gtest.h>

#include <cstdio>
#include <deque>
#include <map>
#include <mutex>

#include "tests/runtime/two_ranks.hpp"

namespace paraiso::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using Duration = std::chrono::duration<double>;

/// When messages that have been sent may be received, by sender and receiver.
class Departures {
 public:
  void add(std::pair<int, int> way, Clock::time_point due) {
    const std::lock_guard lock(mutex_);
    due_[way].push_back(due);
  }
  Clock::time_point next(std::pair<int, int> way) {
    const std::lock_guard lock(mutex_);
    const auto due = due_[way].front();
    due_[way].pop_front();
    return due;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<int, int>, std::deque<Clock::time_point>> due_;
};

/// Delivers nothing earlier than `delay` after it was sent: halos, commands and answers alike.
class Slow : public Transport {
 public:
  Slow(Transport& end, Departures& departures, const Duration& delay)
      : end_(end), departures_(departures), delay_(delay) {}
  [[nodiscard]] int rank() const override { return end_.rank(); }
  [[nodiscard]] int ranks() const override { return end_.ranks(); }
  [[nodiscard]] std::string host(int rank) const override { return end_.host(rank); }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override { return end_.buffer(bytes); }
  void send(int to, Bytes message) override {
    departures_.add({rank(), to},
                    Clock::now() + std::chrono::duration_cast<Clock::duration>(delay_));
    end_.send(to, std::move(message));
  }
  [[nodiscard]] Bytes receive(int from) override {
    Bytes message = end_.receive(from);
    const auto due = departures_.next({from, rank()});
    const double seconds = Duration(due - Clock::now()).count();
    late = std::max(late, seconds);
    waited += std::max(seconds, 0.0);
    std::this_thread::sleep_until(due);
    return message;
  }
  void release(Bytes buffer) override { end_.release(std::move(buffer)); }
  void abandon(const Failure& why) noexcept override { end_.abandon(why); }

  double late = 0;    // the most seconds that this rank has waited for a message that had been sent
  double waited = 0;  // for all

 private:
  Transport& end_;
  Departures& departures_;
  const Duration& delay_;
};

/// Two ranks whose messages are late.
struct Pair {
  explicit Pair(const Library& library) : ranks(library, first, second) {}
  TwoRanks::Times steps(double seconds) {
    delay = Duration(seconds);
    return ranks.steps(first.late);
  }
  struct Many {
    double step, waited;  // seconds of a step, and of those that a rank waited for late messages
  };
  /// Of steps that ranks are told of at once.
  Many many_steps(double seconds) {
    delay = Duration(seconds);
    first.waited = second.waited = 0;
    const double step = ranks.step_of_many();
    return {step, (first.waited + second.waited) / 2 / TwoRanks::kMany};
  }

  std::vector<std::unique_ptr<Transport>> ends = in_process_ranks(2);
  Departures departures;
  Duration delay{};
  Slow first{*ends[0], departures, delay}, second{*ends[1], departures, delay};
  TwoRanks ranks;
};

/// What else the machine does changes how long a step takes from one measurement to the next: so
/// one of five attempts has to show it.
template <class Attempt>
bool shows(const Attempt& attempt) {
  for (int i = 0; i < 5; ++i)
    if (attempt()) return true;
  return false;
}

TEST(Overlap, HidesMessagesThatTakeHalfAStep) {
  const om::Machine program = star();
  Pair blocking(compiled(program, plan::kBlocking));
  Pair overlapped(compiled(program, plan::kOverlapped));
  // Of the times of steps nothing is expected: they differ from run to run. The first rank waits
  // for what the other sends when its command has come, that is for two delays, unless it has
  // something to compute.
  EXPECT_TRUE(shows([&] {
    const double step = blocking.steps(0).step, delay = step / 2, alone = overlapped.steps(0).step;
    const TwoRanks::Times waits = blocking.steps(delay), hides = overlapped.steps(delay);
    std::printf("a step: blocking %.2f ms, overlapped %.2f; messages late by %.2f: %.2f and %.2f\n",
                1e3 * step, 1e3 * alone, 1e3 * delay, 1e3 * waits.step, 1e3 * hides.step);
    std::printf("the first rank waits %.2f and %.2f ms\n", 1e3 * waits.most_late,
                1e3 * hides.least_late);
    return waits.most_late > 0.8 * delay && hides.least_late < 0.3 * delay;
  }));
}

/// Commands, halos and shares of sums alike, where ranks are told of many steps at once: they wait
/// at the beginning and at the end, and hardly between.
TEST(Overlap, HidesAllMessagesOfManySteps) {
  for (const char* end :
       {"store u %11\n", "store u %11\n%12 = reduce sum %11\nstore total %12\n"}) {
    const om::Machine program = star(end);
    Pair overlapped(compiled(program, plan::kOverlapped)),
        blocking(compiled(program, plan::kBlocking));
    EXPECT_TRUE(shows([&] {
      const double step = overlapped.many_steps(0).step, delay = step / 2;
      const Pair::Many hides = overlapped.many_steps(delay), waits = blocking.many_steps(delay);
      std::printf(
          "a step of %d: %.2f ms, all late by %.2f: overlapped %.2f (%.3f), blocking %.2f; "
          "ranks wait %.2f and %.2f\n",
          TwoRanks::kMany, 1e3 * step, 1e3 * delay, 1e3 * hides.step, hides.step / step,
          1e3 * waits.step, 1e3 * hides.waited, 1e3 * waits.waited);
      return waits.waited > 0.3 * delay && hides.waited < 0.2 * waits.waited;
    }));
  }
}

/// A sum that no cell waits for, and a maximum by which cells are divided.
TEST(Overlap, HidesWhatIsReducedLate) {
  const om::Machine late = star("store u %11\n%12 = reduce sum %11\nstore total %12\n");
  const om::Machine awaited = star(
      "%12 = reduce max %11\n%13 = broadcast %12\n%14 = div %11 %13\nstore u %14\n"
      "store total %12\n");
  Pair hidden(compiled(late, plan::kOverlapped)), waiting(compiled(awaited, plan::kOverlapped));
  EXPECT_TRUE(shows([&] {
    const double step = hidden.steps(0).step, other = waiting.steps(0).step, delay = step / 2;
    const TwoRanks::Times hides = hidden.steps(delay), waits = waiting.steps(delay);
    std::printf(
        "a step with a late sum: %.2f ms, all late by %.2f: %.2f; a maximum: %.2f and %.2f\n",
        1e3 * step, 1e3 * delay, 1e3 * hides.step, 1e3 * other, 1e3 * waits.step);
    std::printf("the first rank waits %.2f and %.2f ms\n", 1e3 * hides.least_late,
                1e3 * waits.most_late);
    return hides.least_late < 0.3 * delay && waits.most_late > 0.8 * delay;
  }));
}

}  // namespace
}  // namespace paraiso::runtime
