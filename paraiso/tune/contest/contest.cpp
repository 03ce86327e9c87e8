#include "paraiso/tune/contest/contest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "paraiso/tune/contest/leaders.hpp"
#include "paraiso/tune/contest/rating.hpp"

namespace paraiso::tune {

namespace {

// Student's t that chance exceeds, to one side or the other, once in twenty times; by the degrees
// of freedom, from 1 on. For more than the table has, its last one errs on the safe side.
constexpr double kQuantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                                 2.365,  2.306, 2.262, 2.228, 2.201, 2.179};

/// The finalists that did not fail, the fastest first.
std::vector<Contestant> choose(const Time& time, const std::vector<plan::Genome>& finalists,
                               int rounds, ContestResult& result) {
  std::vector<Contestant> sides;
  for (const plan::Genome& genome : finalists) sides.push_back({genome, {}, {}});
  if (sides.size() < 2) return sides;  // nothing to choose
  std::vector<Contestant*> all;
  for (Contestant& side : sides) all.push_back(&side);
  play(time, all, rounds);
  const auto failures = std::stable_partition(
      sides.begin(), sides.end(), [](const Contestant& side) { return side.measurement.ok(); });
  std::move(failures, sides.end(), std::back_inserter(result.dropped));
  sides.erase(failures, sides.end());
  std::ranges::stable_sort(sides, std::greater(),
                           [](const Contestant& side) { return side.measurement.score; });
  return sides;
}

bool is_faster(const Contestant& one, const Contestant& other) {
  std::vector<double> leads;
  for (std::size_t round = 0; round < one.round_means.size(); ++round)
    leads.push_back(one.round_means[round] - other.round_means[round]);
  const Measurement lead = measured(leads);
  const double quantile = kQuantiles[std::min(leads.size() - 2, std::size(kQuantiles) - 1)];
  return lead.score > quantile * lead.deviation / std::sqrt(static_cast<double>(leads.size()));
}

/// The start, `chosen`, and those beside, in rounds that have shown nothing so far.
void decide(const Time& time, const plan::Genome& start, const std::vector<plan::Genome>& beside,
            int rounds, std::vector<Contestant*> chosen, ContestResult& result) {
  result.start = {start, {}, {}};
  result.beside.clear();
  for (const plan::Genome& genome : beside) result.beside.push_back({genome, {}, {}});
  std::vector<Contestant*> sides{&result.start};
  sides.insert(sides.end(), chosen.begin(), chosen.end());
  for (Contestant& side : result.beside) sides.push_back(&side);
  play(time, std::move(sides), rounds);
  require_start(result.start);
}

}  // namespace

ContestResult hold_contest(const Time& time, const plan::Genome& start,
                           const std::vector<plan::Genome>& finalists,
                           const std::vector<plan::Genome>& beside, const ContestRounds& rounds) {
  ContestResult result;
  for (const Contestant& chosen : choose(time, finalists, rounds.choice, result)) {
    result.best = {chosen.genome, {}, {}};
    decide(time, start, beside, rounds.decision, {&result.best}, result);
    if (result.best.measurement.ok()) {
      result.won = is_faster(result.best, result.start);
      return result;
    }
    result.dropped.push_back(result.best);
  }
  decide(time, start, beside, rounds.decision, {}, result);
  result.best = result.start;
  return result;
}

std::vector<plan::Genome> finalists(Database& database, std::int64_t problem,
                                    const std::vector<plan::Gene>& genes, const plan::Genome& start,
                                    std::size_t count) {
  const auto origin = database.find(problem, plan::letters_of(genes, start));
  const Rating rating(database, problem);
  Leaders best(count);
  database.each(problem, 0, [&](const Individual& individual) {
    const Measurement rated = rating(individual);
    if (rated.ok() && !(origin && same_code(individual, *origin)))
      best.add(rated.score, individual);
  });
  std::vector<plan::Genome> genomes;
  for (const Individual& individual : best.individuals())
    genomes.push_back(plan::genome_from(genes, individual.genome));
  return genomes;
}

}  // namespace paraiso::tune
