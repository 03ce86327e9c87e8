#include "cli/tune_parts.hpp"

#include <fmt/format.h>

#include <set>

#include "paraiso/tune/parts.hpp"

namespace paraiso::cli {

namespace {

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

}  // namespace

std::size_t measure_parts(const TuneCall& call, const Tuning& tuning, tune::Database& database,
                          std::int64_t problem, const runtime::StopSignals& signals,
                          tune::ProcessEvaluator& evaluator) {
  const tune::Contest contest = require_champion(tuning, database, problem);
  const auto known = database.parts(problem, contest);
  auto parts = unknown_parts(tuning, contest, known);
  if (call.budget > 0 && parts.size() > static_cast<std::size_t>(call.budget))
    parts.resize(static_cast<std::size_t>(call.budget));
  std::size_t started = 0, measured = 0;
  while (measured < parts.size()) {
    if (signals.received() != 0) parts.resize(started);
    for (; started < parts.size() && started - measured < evaluator.capacity(); ++started)
      evaluator.start(started, parts[started].genome);
    if (measured == parts.size()) break;
    const tune::Finished finished = evaluator.wait();
    const std::string& name = parts[finished.ticket].name;
    database.record(problem, contest, tune::Part{name, finished.measurement});
    say_aside(fmt::format("{} of {}: {}: {}\n", ++measured, parts.size(), name,
                          outcome_text(finished.measurement)));
  }
  return known.size() + measured;
}

}  // namespace paraiso::cli
