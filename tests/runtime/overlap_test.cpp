// Ranks compute while their messages travel: messages that take long cost an overlapped schedule
// next to nothing, and a blocking one all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/ranks/driver.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"

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
    late = std::max(late, Duration(due - Clock::now()).count());
    std::this_thread::sleep_until(due);
    return message;
  }
  void release(Bytes buffer) override { end_.release(std::move(buffer)); }
  void abandon(const Failure& why) noexcept override { end_.abandon(why); }

  double late = 0;  // the most seconds that this rank has waited for a message that had been sent

 private:
  Transport& end_;
  Departures& departures_;
  const Duration& delay_;
};

om::Machine star() {
  return passes::prepare(
      om::parse("paraiso 1\nmachine star dimension 2\nstatic u local f64\n"
                "boundary 0 cyclic cyclic\nboundary 1 reflect + outflow\n"
                "kernel proceed step\n%0 = load u\n"
                "%1 = shift %0 (1, 0)\n%2 = shift %0 (-1, 0)\n%3 = shift %0 (0, 1)\n"
                "%4 = shift %0 (0, -1)\n%5 = add %1 %2\n%6 = add %3 %4\n%7 = add %5 %6\n"
                "%8 = sqrt %7\n%9 = div %8 %7\n%10 = sqrt %9\n%11 = div %10 %8\nstore u %11\nend\n"
                "end machine\n"),
      passes::Numbers::fma);
}

Library compiled(const om::Machine& program, const char* exchange) {
  plan::Schedule schedule = plan::default_schedule(program);
  schedule.choices["proceed/exchange"] = exchange;
  return compile(plan::plan_program(program, std::move(schedule)));
}

/// Two ranks of one thread.
class Pair {
 public:
  explicit Pair(Library library)
      : division_(std::move(library), om::regular_division(kSize, {1, 2}), kSize, 1,
                  Library::Sharing::worthwhile),
        other_([this] { Worker(division_, second_).serve(); }),
        driver_(std::in_place, division_, answers_, std::make_unique<Worker>(division_, answers_)) {
  }
  // The driver, which ends first, ends the other.
  ~Pair() {
    driver_.reset();
    other_.join();
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  struct Times {
    double step = 0;  // seconds, of the mean of some steps
    // For how long the first rank waited for a message, in the best and the worst step.
    double least_late = 1e9, most_late = 0;
  };
  Times steps(double delay) {
    delay_ = Duration(delay);
    Times times;
    const auto start = Clock::now();
    for (int i = 0; i < kSteps; ++i) {
      first_.late = 0;
      driver_->run(0);
      times.least_late = std::min(times.least_late, first_.late);
      times.most_late = std::max(times.most_late, first_.late);
    }
    driver_->finish();
    times.step = Duration(Clock::now() - start).count() / kSteps;
    return times;
  }

 private:
  static constexpr int kSteps = 24;
  static inline const om::Cell kSize = {1000, 2000};
  Division division_;
  std::vector<std::unique_ptr<Transport>> ends_ = in_process_ranks(2);
  Departures departures_;
  Duration delay_{};
  Slow first_{*ends_[0], departures_, delay_}, second_{*ends_[1], departures_, delay_};
  LateAnswers answers_{first_};
  std::thread other_;
  std::optional<Driver> driver_;
};

TEST(Overlap, HidesMessagesThatTakeHalfAStep) {
  const om::Machine program = star();
  Pair blocking(compiled(program, plan::kBlocking));
  Pair overlapped(compiled(program, plan::kOverlapped));
  const double step = blocking.steps(0).step, delay = step / 2, alone = overlapped.steps(0).step;
  const Pair::Times waits = blocking.steps(delay), hides = overlapped.steps(delay);
  std::printf("a step: blocking %.2f ms, overlapped %.2f; messages late by %.2f: %.2f and %.2f\n",
              1e3 * step, 1e3 * alone, 1e3 * delay, 1e3 * waits.step, 1e3 * hides.step);
  // Of the times of steps nothing is expected: they differ from run to run. The first rank waits
  // for what the other sends when its command has come, that is for two delays, unless it has
  // something to compute.
  EXPECT_GT(waits.most_late, 0.8 * delay);
  EXPECT_LT(hides.least_late, 0.3 * delay);
}

}  // namespace
}  // namespace paraiso::runtime
