#include "paraiso/tune/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

namespace {

// Differences below so many deviations of their mean may be chance.
constexpr double kDoubt = 2;

void add_round(ContestSide& side, const Measurement& round) {
  if (!round.ok()) {
    side.measurement = failed(round.reason);
    return;
  }
  std::vector<double> samples = side.measurement.samples;
  samples.insert(samples.end(), round.samples.begin(), round.samples.end());
  side.measurement = measured(std::move(samples));
  side.round_means.push_back(round.score);
}

bool is_faster(const ContestSide& one, const ContestSide& other) {
  std::vector<double> leads;
  for (std::size_t round = 0; round < one.round_means.size(); ++round)
    leads.push_back(one.round_means[round] - other.round_means[round]);
  const Measurement lead = measured(leads);
  return lead.score > kDoubt * lead.deviation / std::sqrt(static_cast<double>(leads.size()));
}

}  // namespace

ContestResult hold_contest(const std::function<Measurement(const plan::Genome&)>& time,
                           const plan::Genome& start, const std::vector<plan::Genome>& finalists,
                           int rounds) {
  ContestResult result;
  result.start.genome = start;
  std::vector<ContestSide> sides;
  for (const plan::Genome& genome : finalists) sides.push_back({genome, {}, {}});
  for (int round = 0; round < rounds; ++round) {
    add_round(result.start, time(start));
    if (!result.start.measurement.ok())
      throw Error(fmt::format("the default schedule failed beside the champion: {}",
                              result.start.measurement.reason));
    for (ContestSide& side : sides)
      if (side.measurement.ok()) add_round(side, time(side.genome));
  }
  result.best = result.start;
  for (ContestSide& side : sides)
    if (!side.measurement.ok())
      result.dropped.push_back(std::move(side));
    else if (result.best.genome == start || side.measurement.score > result.best.measurement.score)
      result.best = std::move(side);
  result.won = is_faster(result.best, result.start);
  return result;
}

std::vector<plan::Genome> finalists(Database& database, std::int64_t problem,
                                    const std::vector<plan::Gene>& genes, const plan::Genome& start,
                                    std::size_t count) {
  std::vector<Individual> best;  // descending scores
  const auto origin = database.find(problem, plan::letters_of(genes, start));
  const auto same_code = [](const Individual& one, const Individual& other) {
    return one.genome == other.genome || (!one.measurement.code_hash.empty() &&
                                          one.measurement.code_hash == other.measurement.code_hash);
  };
  database.each(problem, 0, [&](const Individual& individual) {
    if (!individual.measurement.ok() || (origin && same_code(individual, *origin))) return;
    if (std::ranges::any_of(best, [&](const auto& one) { return same_code(one, individual); }))
      return;
    const auto place = std::ranges::find_if(best, [&](const Individual& one) {
      return one.measurement.score < individual.measurement.score;
    });
    best.insert(place, individual);
    if (best.size() > count) best.pop_back();
  });
  std::vector<plan::Genome> genomes;
  for (const Individual& individual : best)
    genomes.push_back(plan::genome_from(genes, individual.genome));
  return genomes;
}

}  // namespace paraiso::tune
