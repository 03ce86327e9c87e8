// Replay: strategies run against a recording, in milliseconds.
// Gives: replay, ReplayPlan, Comparison, compare. Needs: pool, search.
#pragma once

#include "paraiso/tune/replay/pool.hpp"
#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {

/// The highest score after each of at most `evaluations` evaluations. A trajectory begins with its
/// first individual, a complete recording with one that the seed draws.
[[nodiscard]] std::vector<double> replay(Pool& pool, const std::string& strategy,
                                         std::uint64_t seed, std::size_t evaluations,
                                         const BirthShares& shares = {});

struct ReplayPlan {
  std::vector<std::string> strategies;
  std::uint64_t seeds = 20;  // 1, 2, ...
  std::size_t evaluations = 300;
  double goal = 0.95;                               // of the recording's best
  std::vector<std::size_t> marks = {30, 100, 300};  // evaluations after which scores are compared
  BirthShares shares = {};
};

/// What one strategy reached: medians over the seeds, the lower of the middle two.
struct Comparison {
  std::string strategy;
  /// Evaluations until the goal; none if fewer than half of the seeds reached it.
  std::optional<double> evaluations_to_goal;
  std::vector<double> best_at_marks;  // parts of the recording's best
};
[[nodiscard]] std::vector<Comparison> compare(const Recording& recording, const ReplayPlan& plan);

}  // namespace paraiso::tune
