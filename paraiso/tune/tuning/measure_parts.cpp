#include "paraiso/tune/tuning/measure_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "paraiso/tune/contest/parts.hpp"

namespace paraiso::tune {

namespace {

// All are measured in so many rounds, and the median counts: what slows the machine down for a
// while slows one round. An odd number.
constexpr int kRounds = 3;

/// Parts that have the same generated code are one, with one measurement a round.
struct Code {
  std::vector<Crossing> parts;
  std::vector<Measurement> rounds;
};
using Codes = std::map<std::string, Code>;  // by hash

Contest require_champion(const TuningRun& run) {
  const std::string& name = run.tuned.problem.machine;
  const auto contest = run.database.contest(run.problem);
  if (!contest)
    throw Error(fmt::format("`{}` has no champion to take apart", name))
        .with_hint("`paraiso tune ... --budget N` finds one");
  if (contest->best.genome == contest->start.genome)
    throw Error(
        fmt::format("the best schedule of `{}` is the default one: nothing to take apart", name));
  if (!contest->won)
    throw Error(
        fmt::format("no schedule of `{}` has beaten the default one: nothing to take apart", name))
        .with_hint("`paraiso tune ... --budget N` goes on searching");
  return *contest;
}

/// Measured in all rounds, or it failed.
bool is_known(const TakenGenes& part) { return !part.measurement.ok() || part.rounds >= kRounds; }

/// Those that are to be measured; genomes of several may be equal.
std::vector<Crossing> unknown_parts(const TunedProgram& tuned, const Contest& contest,
                                    const std::vector<TakenGenes>& known) {
  auto all = crossings(tuned.problem.genes, tuned.genome_from(contest.start.genome),
                       tuned.genome_from(contest.best.genome), tuned.canonical);
  std::set<std::string> names;
  for (const TakenGenes& part : known)
    if (is_known(part)) names.insert(part.name);
  std::erase_if(all, [&](const Crossing& crossing) { return names.contains(crossing.name); });
  return all;
}

/// Each of them once, several being built at a time. Those that were built are in `codes`.
void measure_first_round(const TuningRun& run, const Contest& contest, std::vector<Crossing> parts,
                         Codes& codes) {
  std::size_t started = 0, measured = 0;
  while (measured < parts.size()) {
    if (run.stopped()) parts.resize(started);
    for (; started < parts.size() && started - measured < run.evaluator.capacity(); ++started)
      run.evaluator.start(started, parts[started].genome);
    if (measured == parts.size()) break;
    const Finished finished = run.evaluator.wait();
    const Crossing& part = parts[finished.ticket];
    run.database.record(run.problem, contest, TakenGenes{part.name, finished.measurement, 1});
    run.say(fmt::format("{} of {}: {}: {}", ++measured, parts.size(), part.name,
                        outcome_text(finished.measurement)));
    if (!finished.measurement.ok()) continue;
    Code& code = codes[finished.measurement.code_hash];
    if (code.parts.empty()) code.rounds.push_back(finished.measurement);
    code.parts.push_back(part);
  }
}

const Measurement& median(std::vector<Measurement>& rounds) {
  const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
  std::ranges::nth_element(rounds, middle, {}, &Measurement::score);
  return *middle;
}

/// What the first round has measured stays where these are not finished.
void measure_other_rounds(const TuningRun& run, const Contest& contest, Codes& codes) {
  for (int round = 2; round <= kRounds; ++round)
    for (auto& [hash, code] : codes) {
      if (run.stopped()) return;
      code.rounds.push_back(run.evaluator.time(code.parts[0].genome));
      run.say(fmt::format("round {} of {}: {}: {}", round, kRounds, code.parts[0].name,
                          outcome_text(code.rounds.back())));
    }
  for (auto& [hash, code] : codes) {
    const Measurement& middle = median(code.rounds);
    for (const Crossing& part : code.parts)
      run.database.record(run.problem, contest, TakenGenes{part.name, middle, kRounds});
  }
}

}  // namespace

std::size_t measure_parts(const TuningRun& run, std::size_t most) {
  const Contest contest = require_champion(run);
  auto parts = unknown_parts(run.tuned, contest, run.database.parts(run.problem, contest));
  if (most > 0 && parts.size() > most) parts.resize(most);
  Codes codes;
  measure_first_round(run, contest, std::move(parts), codes);
  measure_other_rounds(run, contest, codes);
  return static_cast<std::size_t>(
      std::ranges::count_if(run.database.parts(run.problem, contest), is_known));
}

}  // namespace paraiso::tune
