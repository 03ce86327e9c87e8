#include "cli/tune_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "paraiso/tune/contest/parts.hpp"

namespace paraiso::cli {

namespace {

// All are measured in so many rounds, and the median counts: what slows the machine down for a
// while slows one round. An odd number.
constexpr std::size_t kRounds = 3;

/// Parts that have the same generated code are one, with one measurement a round.
struct Code {
  std::vector<tune::Crossing> parts;
  std::vector<tune::Measurement> rounds;
};

/// Those that are to be measured; genomes of several may be equal.
std::vector<tune::Crossing> unknown_parts(const Tuning& tuning, const tune::Contest& contest,
                                          const std::vector<tune::Part>& known) {
  const auto genome = [&](const std::string& letters) {
    return plan::genome_from(tuning.problem.genes, letters);
  };
  auto all = tune::crossings(tuning.problem.genes, genome(contest.start.genome),
                             genome(contest.best.genome),
                             [&](const plan::Genome& g) { return tuning.canonical(g); });
  std::set<std::string> names;
  for (const tune::Part& part : known) names.insert(part.name);
  std::erase_if(all, [&](const tune::Crossing& crossing) { return names.contains(crossing.name); });
  return all;
}

tune::Contest require_champion(const Tuning& tuning, tune::Database& database,
                               std::int64_t problem) {
  const auto contest = database.contest(problem);
  if (!contest)
    throw Error(fmt::format("`{}` has no champion to take apart", tuning.chosen.name))
        .with_hint("`paraiso tune ... --budget N` finds one");
  if (contest->best.genome == contest->start.genome)
    throw Error(fmt::format("the best schedule of `{}` is the default one: nothing to take apart",
                            tuning.chosen.name));
  return *contest;
}

const tune::Measurement& median(std::vector<tune::Measurement>& rounds) {
  const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
  std::ranges::nth_element(rounds, middle, {}, &tune::Measurement::score);
  return *middle;
}

/// The other rounds, after the first; what was measured there stays where they are not finished.
void measure_other_rounds(std::map<std::string, Code>& codes, tune::Database& database,
                          std::int64_t problem, const tune::Contest& contest,
                          const runtime::StopSignals& signals, tune::ProcessEvaluator& evaluator) {
  for (std::size_t round = 2; round <= kRounds; ++round)
    for (auto& [hash, code] : codes) {
      if (signals.received() != 0) return;
      code.rounds.push_back(evaluator.time(code.parts[0].genome));
      say_aside(fmt::format("round {} of {}: {}: {}\n", round, kRounds, code.parts[0].name,
                            outcome_text(code.rounds.back())));
    }
  for (auto& [hash, code] : codes) {
    const tune::Measurement& middle = median(code.rounds);
    for (const tune::Crossing& part : code.parts)
      database.record(problem, contest, tune::Part{part.name, middle});
  }
}

}  // namespace

std::size_t measure_parts(const TuneCall& call, const Tuning& tuning, tune::Database& database,
                          std::int64_t problem, const runtime::StopSignals& signals,
                          tune::ProcessEvaluator& evaluator) {
  const tune::Contest contest = require_champion(tuning, database, problem);
  const auto known = database.parts(problem, contest);
  auto parts = unknown_parts(tuning, contest, known);
  if (call.budget > 0 && parts.size() > static_cast<std::size_t>(call.budget))
    parts.resize(static_cast<std::size_t>(call.budget));
  std::map<std::string, Code> codes;  // by hash, of those that were built
  std::size_t started = 0, measured = 0;
  while (measured < parts.size()) {
    if (signals.received() != 0) parts.resize(started);
    for (; started < parts.size() && started - measured < evaluator.capacity(); ++started)
      evaluator.start(started, parts[started].genome);
    if (measured == parts.size()) break;
    const tune::Finished finished = evaluator.wait();
    const tune::Crossing& part = parts[finished.ticket];
    database.record(problem, contest, tune::Part{part.name, finished.measurement});
    say_aside(fmt::format("{} of {}: {}: {}\n", ++measured, parts.size(), part.name,
                          outcome_text(finished.measurement)));
    if (!finished.measurement.ok()) continue;
    Code& code = codes[finished.measurement.code_hash];
    if (code.parts.empty()) code.rounds.push_back(finished.measurement);
    code.parts.push_back(part);
  }
  measure_other_rounds(codes, database, problem, contest, signals, evaluator);
  return known.size() + measured;
}

}  // namespace paraiso::cli
