// Replay: strategies run against a recording, in milliseconds.
// Gives: replay, ReplayPlan, Comparison, compare. Needs: recording, search.
//
// Of a space of 10^300 genomes a recording knows a few thousand, and a strategy will hardly ever
// ask for one of these. So the recording itself is the space: what is asked for is the recorded
// genome that differs in the fewest letters from the wanted one and has not been asked for yet (of
// several, one by the seed). A small step from a good individual leads to one near it; a random
// genome leads to a random one; nobody is measured twice; and in the end all have been seen.
#pragma once

#include "paraiso/tune/replay/recording.hpp"
#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {

/// The highest score after each evaluation, of at most `evaluations`. The first individual of the
/// recording, which must have one, is the start.
[[nodiscard]] std::vector<double> replay(const Recording& recording, const std::string& strategy,
                                         std::uint64_t seed, std::size_t evaluations,
                                         const BirthShares& shares = {});

struct ReplayPlan {
  std::vector<std::string> strategies;
  std::uint64_t seeds = 20;  // 1, 2, ...
  std::size_t evaluations = 300;
  double goal = 0.95;                               // of the recording's best
  std::vector<std::size_t> marks = {30, 100, 300};  // after so many, scores are compared
  BirthShares shares = {};
};

/// What one strategy reached: medians over the seeds.
struct Comparison {
  std::string strategy;
  /// Evaluations until the goal; none where at least half of the seeds did not reach it.
  std::optional<double> evaluations_to_goal;
  std::vector<double> best_at_marks;  // parts of the recording's best
};
[[nodiscard]] std::vector<Comparison> compare(const Recording& recording, const ReplayPlan& plan);

}  // namespace paraiso::tune
