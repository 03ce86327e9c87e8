// Scoreboard: every strategy on every complete recording.
// Gives: ScoredSpace, ScoreRow, Standing, ScoreboardPlan, Scoreboard, scoreboard, require_complete.
// Needs: replay, drawing law, public score, bootstrap.
#pragma once

#include <functional>

#include "paraiso/tune/replay/replay.hpp"
#include "paraiso/tune/scoreboard/bootstrap.hpp"

namespace paraiso::tune {

/// A recording and the name of its file.
struct ScoredSpace {
  std::string file;
  Recording recording;
};

/// One strategy on one space: medians over the seeds.
struct ScoreRow {
  std::string file, strategy;
  std::vector<double> scores;  // the public score, by seed
  double score = 0;            // their mean
  Interval interval;
  std::vector<double> best_after;  // parts of the best, at the plan's marks
  std::vector<Interval> best_after_intervals;
  std::optional<double> evaluations_to_goal;  // none: more than half of the seeds never reached it
  Interval evaluations_interval;              // an infinite end: never
  double reached = 0;                         // the part of the seeds that did
};

/// What is known of a space without any search.
struct SpaceFacts {
  std::string file, machine;
  std::size_t individuals = 0, failures = 0;
  std::size_t first = 0, last = 0;   // the evaluations that the public score is a mean over
  std::size_t evaluations = 0;       // of each search
  std::optional<double> start;       // the first start's part of the best, if there is one
  std::vector<double> random_after;  // calculated: the expected best of so many drawn ones
  std::vector<double> random_times;  // of the public score, from `first` to `last`, in seconds
  std::size_t random_to_goal = 0;    // calculated: the median
};

/// One strategy on all spaces.
struct Standing {
  std::string strategy;
  double score = 0;
  Interval interval;
  std::size_t wins = 0;  // spaces on which its mean score is the highest
};

struct ScoreboardPlan {
  std::vector<std::string> strategies;
  std::uint64_t seeds = 100;  // 1, 2, ...
  double goal = 0.95;         // of the best
  std::vector<std::size_t> marks = {5, 10, 30, 100, 300};
  std::function<void(const std::string& file, const std::string& strategy)> watch = {};  // if given
};

struct Scoreboard {
  ScoreboardPlan plan;
  std::vector<SpaceFacts> spaces;
  std::vector<ScoreRow> rows;       // by space, then strategy
  std::vector<Standing> standings;  // the highest score first
};

/// Throws Error, in one sentence, if the recording compares no searches.
void require_complete(const ScoredSpace& space);
/// At least one space, all complete. Throws Error as `PublicScore` and `make_strategy` do.
[[nodiscard]] Scoreboard scoreboard(const std::vector<ScoredSpace>& spaces,
                                    const ScoreboardPlan& plan);

}  // namespace paraiso::tune
