#include "paraiso/tune/contest/similar.hpp"

#include <algorithm>

#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/database/champion.hpp"

namespace paraiso::tune {

namespace {

// Sizes at least this far apart count as entirely different.
constexpr double kFarthest = 10;

std::optional<plan::Schedule> best_schedule(Database& database, std::int64_t id,
                                            const TuningProblem& problem) {
  std::string genome;
  if (const auto contest = database.contest(id); contest && contest->won)
    genome = contest->best.genome;
  else if (const auto best = best_rated(database, id))
    genome = best->genome;
  else
    return std::nullopt;
  return plan::schedule_of(problem.genes, plan::genome_from(problem.genes, genome));
}

}  // namespace

double difference(const TuningProblem& one, const TuningProblem& other) {
  const bool differs[] = {one.program_hash != other.program_hash,
                          one.numbers != other.numbers,
                          one.element != other.element,
                          one.backend != other.backend,
                          one.compiler != other.compiler,
                          one.threads != other.threads,
                          one.host_fingerprint != other.host_fingerprint,
                          one.generator != other.generator,
                          one.initial != other.initial,
                          one.parameters != other.parameters,
                          one.target != other.target,
                          om::division_of(one.size) != om::division_of(other.size)};
  return static_cast<double>(std::ranges::count(differs, true)) +
         std::min(kFarthest, size_distance(om::grid_of(one.size), om::grid_of(other.size)));
}

std::vector<plan::Schedule> similar_schedules(Database& database, const TuningProblem& problem,
                                              std::size_t count) {
  auto known = database.problems_of(problem.machine);
  std::erase_if(known, [&](const auto& entry) { return key_of(entry.second) == key_of(problem); });
  std::ranges::stable_sort(known, {},
                           [&](const auto& entry) { return difference(entry.second, problem); });
  std::vector<plan::Schedule> schedules;
  for (const auto& [id, other] : known) {
    if (schedules.size() == count) break;
    if (auto schedule = best_schedule(database, id, other))
      schedules.push_back(std::move(*schedule));
  }
  return schedules;
}

}  // namespace paraiso::tune
