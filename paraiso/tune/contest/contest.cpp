#include "paraiso/tune/contest/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "paraiso/base/clock.hpp"
#include "paraiso/tune/contest/leaders.hpp"
#include "paraiso/tune/contest/rating.hpp"

namespace paraiso::tune {

namespace {

// Student's t that chance exceeds, to one side or the other, once in twenty times; by degrees of
// freedom, from 1 on. Beyond the table its last entry errs on the safe side.
constexpr double kQuantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                                 2.365,  2.306, 2.262, 2.228, 2.201, 2.179};

/// The finalists that did not fail, the fastest first.
std::vector<Contestant> choose(const MeasureGenome& time,
                               const std::vector<plan::Genome>& finalists, int rounds,
                               ContestResult& result) {
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

/// Student's t that chance exceeds to one side once in a thousand times: an expansion about the
/// normal distribution (Abramowitz and Stegun 1964, eq. 26.7.5), right to 0.1 % from 11 degrees on.
double thousandth(double degrees) {
  const double z = 3.0902, z2 = z * z;
  return z + z * (z2 + 1) / (4 * degrees) +
         z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * degrees * degrees) +
         z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * degrees * degrees * degrees);
}

/// Of the first side over the second, from round to round.
struct Lead {
  double mean, deviation;  // of the logarithms
  std::size_t rounds;
};

Lead lead_of(const Contestant& one, const Contestant& other) {
  std::vector<double> leads;
  for (std::size_t round = 0; round < one.round_means.size(); ++round)
    leads.push_back(std::log(one.round_means[round] / other.round_means[round]));
  const std::size_t rounds = leads.size();
  const Measurement lead = measured(std::move(leads));
  return {lead.score, lead.deviation, rounds};
}

/// How many rounds distinguish a lead at this distance from a limit.
double rounds_for(const Lead& lead, double distance) {
  const double t = thousandth(static_cast<double>(std::max<std::size_t>(lead.rounds, 12)) - 1);
  return std::ceil(std::pow(t * lead.deviation / distance, 2));
}

/// Whether it is faster; if that is unknown, how many rounds are missing to know that, or to know
/// that it is not faster by a worthwhile gain.
void judge(bool first_look, ContestResult& result) {
  const Lead lead = lead_of(result.best, result.start);
  const double t = first_look ? kQuantiles[std::min(lead.rounds - 2, std::size(kQuantiles) - 1)]
                              : thousandth(static_cast<double>(lead.rounds) - 1);
  const double doubt = t * lead.deviation / std::sqrt(static_cast<double>(lead.rounds));
  const double short_of_worth = std::log(kWorthwhile) - lead.mean;
  result.won = lead.mean > doubt;
  result.missing_rounds = 0;
  if (result.won || doubt < short_of_worth) return;
  const double needed = std::min(lead.mean > 0 ? rounds_for(lead, lead.mean) : HUGE_VAL,
                                 short_of_worth > 0 ? rounds_for(lead, short_of_worth) : HUGE_VAL);
  result.missing_rounds =
      static_cast<std::int64_t>(std::max(needed - static_cast<double>(lead.rounds), 1.0));
  const auto played = static_cast<std::int64_t>(lead.rounds);
  result.missing_rounds += (played + result.missing_rounds) % 2;  // an even number is fair
}

/// Measures the start, `chosen` and those beside, in rounds that play no part in the choice.
void decide(const MeasureGenome& time, const plan::Genome& start,
            const std::vector<plan::Genome>& beside, const ContestRounds& rounds,
            std::vector<Contestant*> chosen, ContestResult& result) {
  result.start = {start, {}, {}};
  result.beside.clear();
  for (const plan::Genome& genome : beside) result.beside.push_back({genome, {}, {}});
  std::vector<Contestant*> sides{&result.start};
  sides.insert(sides.end(), chosen.begin(), chosen.end());
  for (Contestant& side : result.beside) sides.push_back(&side);
  const double begin = now();
  int played = 0;
  result.missing_rounds = 0;
  do {
    const int first = sides.size() == 1 ? rounds.alone : rounds.decision;
    const int further = played == 0 ? first : std::min(played, rounds.most - played);
    play(time, sides, further);
    played += further;
    require_start(result.start);
    if (chosen.empty() || !result.best.measurement.ok()) break;
    judge(played == first, result);
  } while (result.missing_rounds > 0 && played < rounds.most);
  result.round_seconds = (now() - begin) / played;
}

}  // namespace

ContestResult hold_contest(const MeasureGenome& time, const plan::Genome& start,
                           const std::vector<plan::Genome>& finalists,
                           const std::vector<plan::Genome>& beside, const ContestRounds& rounds) {
  ContestResult result;
  for (const Contestant& chosen : choose(time, finalists, rounds.choice, result)) {
    result.best = {chosen.genome, {}, {}};
    decide(time, start, beside, rounds, {&result.best}, result);
    if (result.best.measurement.ok()) return result;
    result.dropped.push_back(result.best);
  }
  decide(time, start, beside, rounds, {}, result);
  result.best = result.start;
  return result;
}

std::string missing_text(const ContestResult& result) {
  if (result.missing_rounds == 0) return "";
  const double lead = lead_of(result.best, result.start).mean;
  return fmt::format(
      "undecided after {} rounds: it may be {}{:.2f} times as fast; {} more, {:.1f} minutes, would "
      "{}",
      result.best.round_means.size(), lead < 0 ? "slower, " : "", std::exp(lead),
      result.missing_rounds, static_cast<double>(result.missing_rounds) * result.round_seconds / 60,
      lead < 0 ? fmt::format("exclude a gain of {:.0f} %", 100 * (kWorthwhile - 1)) : "tell");
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
