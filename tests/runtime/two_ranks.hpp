// TwoRanks: two ranks of a program in this process, and how long their steps take.
// Gives: star, compiled, TwoRanks. Needs: ranks.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/ranks/driver.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::runtime {

/// Of nine operations a cell, with a halo of one cell on each side; `end` stores the last, %11.
inline om::Machine star(const std::string& end = "store u %11\n") {
  return passes::prepare(
      om::parse("paraiso 1\nmachine star dimension 2\nstatic u local f64\n"
                "boundary 0 cyclic cyclic\nboundary 1 reflect + outflow\n"
                "static total global f64\nkernel proceed step\n%0 = load u\n"
                "%1 = shift %0 (1, 0)\n%2 = shift %0 (-1, 0)\n%3 = shift %0 (0, 1)\n"
                "%4 = shift %0 (0, -1)\n%5 = add %1 %2\n%6 = add %3 %4\n%7 = add %5 %6\n"
                "%8 = sqrt %7\n%9 = div %8 %7\n%10 = sqrt %9\n%11 = div %10 %8\n" +
                end + "end\nend machine\n"),
      passes::Numbers::fma);
}

inline Library compiled(const om::Machine& program, const char* exchange) {
  plan::Schedule schedule = plan::default_schedule(program);
  schedule.choices["proceed/exchange"] = exchange;
  return compile(plan::plan_program(program, std::move(schedule)));
}

/// Of one thread, one above the other.
class TwoRanks {
 public:
  TwoRanks(Library library, Transport& first, Transport& second)
      : division_(std::move(library), om::regular_division(kSize, {1, 2}), kSize, 1,
                  Library::Sharing::worthwhile),
        answers_(first),
        other_([this, &second] { Worker(division_, second).serve(); }),
        driver_(std::in_place, division_, answers_, std::make_unique<Worker>(division_, answers_)) {
  }
  // The driver, which ends first, ends the other.
  ~TwoRanks() {
    driver_.reset();
    other_.join();
  }
  TwoRanks(const TwoRanks&) = delete;
  TwoRanks& operator=(const TwoRanks&) = delete;

  struct Times {
    double step = 0, least_step = 1e9;  // seconds, of the mean of some steps and of the fastest
    // How late messages were for the first rank, as its end measures it, in the best and the worst
    // step.
    double least_late = 1e9, most_late = 0;
  };
  /// `late`: where the first rank's end puts how late the latest message was.
  Times steps(double& late) {
    Times times;
    const auto start = Clock::now();
    for (int i = 0; i < kSteps; ++i) {
      late = 0;
      const auto before = Clock::now();
      driver_->run(0);
      times.least_step = std::min(times.least_step, seconds_since(before));
      times.least_late = std::min(times.least_late, late);
      times.most_late = std::max(times.most_late, late);
    }
    driver_->finish();
    times.step = seconds_since(start) / kSteps;
    return times;
  }

  /// Seconds of one of many steps that ranks are told of at once, the end of which is awaited.
  double step_of_many() {
    const auto start = Clock::now();
    driver_->run(0, kMany);
    driver_->finish();
    return seconds_since(start) / kMany;
  }
  static constexpr int kMany = 48;

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  static constexpr int kSteps = 24;
  static inline const om::Cell kSize = {1000, 2000};
  Division division_;
  LateAnswers answers_;
  std::thread other_;
  std::optional<Driver> driver_;
};

}  // namespace paraiso::runtime
