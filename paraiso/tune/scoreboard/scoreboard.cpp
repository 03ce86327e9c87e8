#include "paraiso/tune/scoreboard/scoreboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "paraiso/base/error.hpp"
#include "paraiso/base/mean.hpp"
#include "paraiso/base/median.hpp"
#include "paraiso/tune/replay/drawing_law.hpp"
#include "paraiso/tune/scoreboard/public_score.hpp"

namespace paraiso::tune {

namespace {

double best_of(const std::vector<double>& scores) { return std::ranges::max(scores); }

SpaceFacts facts_of(const ScoredSpace& space, const Pool& pool, const PublicScore& score,
                    const ScoreboardPlan& plan) {
  const std::vector<double> scores = pool.scores();
  const double best = best_of(scores);
  SpaceFacts facts;
  facts.file = space.file;
  facts.machine = space.recording.problem.machine;
  facts.individuals = pool.size();
  facts.first = score.first();
  facts.last = score.last();
  facts.failures = static_cast<std::size_t>(std::ranges::count(scores, 0.0));
  facts.evaluations = std::min(pool.size(), std::max(score.last(), std::ranges::max(plan.marks)));
  for (const Recording::Entry& entry : space.recording.entries)
    if (!facts.start && entry.method == "start") facts.start = entry.measurement.score / best;
  const DrawingLaw law(scores);
  for (const std::size_t mark : plan.marks)
    facts.random_after.push_back(law.best_of(std::min(mark, pool.size())).mean / best);
  for (std::size_t x = score.first(); x <= score.last(); ++x)
    facts.random_times.push_back(score.random(x));
  facts.random_to_goal = law.median_draws_to(plan.goal * best);
  return facts;
}

ScoreRow row_of(Pool& pool, const SpaceFacts& facts, const std::string& strategy,
                const PublicScore& score, const ScoreboardPlan& plan) {
  const double best = best_of(pool.scores());
  ScoreRow row;
  row.file = facts.file, row.strategy = strategy;
  std::vector<double> reached;
  int reaching = 0;
  std::vector<std::vector<double>> after(plan.marks.size());
  for (std::uint64_t seed = 1; seed <= plan.seeds; ++seed) {
    const auto curve = replay(pool, strategy, seed, facts.evaluations);
    row.scores.push_back(score(curve));
    const auto at = std::ranges::find_if(curve, [&](double s) { return s >= plan.goal * best; });
    reaching += at == curve.end() ? 0 : 1;
    reached.push_back(at == curve.end() ? std::numeric_limits<double>::infinity()
                                        : static_cast<double>(at - curve.begin() + 1));
    for (std::size_t m = 0; m < plan.marks.size(); ++m)
      after[m].push_back(curve[std::min(plan.marks[m], curve.size()) - 1] / best);
  }
  row.reached = reaching / static_cast<double>(plan.seeds);
  row.score = mean(row.scores);
  row.interval = bootstrap({row.scores});
  if (const double middle = lower_median(reached); middle < std::numeric_limits<double>::infinity())
    row.evaluations_to_goal = middle;
  row.evaluations_interval = bootstrap_median(reached);
  for (const auto& parts : after) {
    row.best_after.push_back(lower_median(parts));
    row.best_after_intervals.push_back(bootstrap_median(parts));
  }
  return row;
}

/// Whether no other row of its space has a higher score.
bool wins(const ScoreRow& row, const std::vector<ScoreRow>& rows) {
  return std::ranges::none_of(rows, [&](const ScoreRow& other) {
    return other.file == row.file && other.score > row.score;
  });
}

Standing standing_of(const std::string& strategy, const std::vector<ScoreRow>& rows) {
  Standing standing{strategy, 0, {}, 0};
  std::vector<std::vector<double>> groups;
  for (const ScoreRow& row : rows) {
    if (row.strategy != strategy) continue;
    groups.push_back(row.scores);
    standing.score += row.score;
    standing.wins += wins(row, rows) ? 1 : 0;
  }
  standing.score /= static_cast<double>(groups.size());
  standing.interval = bootstrap(groups);
  return standing;
}

/// An error of one space names it.
template <class Act>
auto in_space(const ScoredSpace& space, Act act) {
  try {
    return act();
  } catch (const Error& error) {
    throw Error(fmt::format("`{}`: {}", space.file, error.diagnostics()[0].message));
  }
}

}  // namespace

void require_complete(const ScoredSpace& space) {
  if (space.recording.recorded == Recorded::trajectory)
    throw Error(
        fmt::format("`{}` is a trajectory: a search chose its individuals, most of them "
                    "good, so that searches can't be compared on it",
                    space.file));
}

Scoreboard scoreboard(const std::vector<ScoredSpace>& spaces, const ScoreboardPlan& plan) {
  Scoreboard board{plan, {}, {}, {}};
  for (const ScoredSpace& space : spaces) {
    require_complete(space);
    in_space(space, [&] {
      Pool pool(space.recording);
      const PublicScore score(pool.scores());
      board.spaces.push_back(facts_of(space, pool, score, plan));
      for (const std::string& strategy : plan.strategies) {
        if (plan.watch) plan.watch(space.file, strategy);
        board.rows.push_back(row_of(pool, board.spaces.back(), strategy, score, plan));
      }
    });
  }
  for (const std::string& strategy : plan.strategies)
    board.standings.push_back(standing_of(strategy, board.rows));
  std::ranges::stable_sort(board.standings, std::greater{}, &Standing::score);
  return board;
}

}  // namespace paraiso::tune
