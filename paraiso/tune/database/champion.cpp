#include "paraiso/tune/database/champion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "paraiso/base/extents.hpp"
#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::tune {

namespace {

/// Whether what is fast for one is fast for the other, apart from their sizes. Cell values don't
/// count: no cell's value decides what is computed.
bool alike(TuningProblem one, const TuningProblem& other) {
  one.size = other.size;
  one.host = other.host;
  one.initial = other.initial;
  one.parameters = other.parameters;
  return one == other;
}

/// Of problems that are alike.
bool is_same(const TuningProblem& one, const TuningProblem& other) {
  return one.size == other.size && one.parameters == other.parameters &&
         one.initial == other.initial;
}

/// How well a champion fits; less is better.
auto rank(const Champion& champion, const TuningProblem& problem) {
  return std::tuple(champion.distance, champion.problem.parameters != problem.parameters,
                    champion.problem.initial != problem.initial, -champion.contest.held);
}

/// Of a problem that is like another one, but perhaps for its size; none if it has no champion.
std::optional<Champion> champion_of(Database& database, std::int64_t id, TuningProblem known,
                                    const TuningProblem& problem) {
  if (!alike(known, problem)) return std::nullopt;
  const auto contest = database.contest(id);
  if (!contest || !contest->won) return std::nullopt;
  const double distance = size_distance(known.size, problem.size);
  return Champion{std::move(known), *contest, distance};
}

}  // namespace

plan::Schedule Champion::schedule() const {
  return plan::schedule_of(problem.genes, plan::genome_from(problem.genes, contest.best.genome));
}

bool Champion::is_own(const TuningProblem& asked) const { return is_same(problem, asked); }

double size_distance(const std::string& one, const std::string& other) {
  if (om::division_of(one) != om::division_of(other))
    return std::numeric_limits<double>::infinity();
  const auto from = extents_of(om::grid_of(one)), to = extents_of(om::grid_of(other));
  if (from.size() != to.size()) return std::numeric_limits<double>::infinity();
  double distance = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis)
    distance +=
        std::abs(std::log2(static_cast<double>(from[axis]) / static_cast<double>(to[axis])));
  return distance / static_cast<double>(from.size());
}

std::optional<Champion> nearest_champion(Database& database, const TuningProblem& problem) {
  std::optional<Champion> nearest;
  for (auto& [id, known] : database.problems_of(problem.machine)) {
    if (size_distance(known.size, problem.size) > kNear) continue;
    auto found = champion_of(database, id, std::move(known), problem);
    if (found && (!nearest || rank(*found, problem) < rank(*nearest, problem)))
      nearest = std::move(found);
  }
  return nearest;
}

bool is_unbeaten(Database& database, const TuningProblem& problem) {
  bool lost = false, won = false;
  for (const auto& [id, known] : database.problems_of(problem.machine)) {
    if (known.size != problem.size || !alike(known, problem)) continue;
    const auto contest = database.contest(id);
    if (!contest) continue;
    if (is_same(known, problem)) return !contest->won;
    (contest->won ? won : lost) = true;
  }
  return lost && !won;
}

std::vector<Champion> champions_alike(Database& database, const TuningProblem& problem) {
  std::vector<Champion> champions;
  for (auto& [id, known] : database.problems_of(problem.machine)) {
    if (!std::isfinite(size_distance(known.size, problem.size))) continue;
    auto found = champion_of(database, id, std::move(known), problem);
    if (!found) continue;
    const auto same = std::ranges::find_if(
        champions, [&](const Champion& one) { return one.problem.size == found->problem.size; });
    if (same == champions.end())
      champions.push_back(std::move(*found));
    else if (rank(*found, problem) < rank(*same, problem))
      *same = std::move(*found);
  }
  return champions;
}

}  // namespace paraiso::tune
