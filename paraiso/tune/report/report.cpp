#include "paraiso/tune/report/report.hpp"

#include <fmt/format.h>

#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

ReportRun read_run(Database& database, std::int64_t problem, const std::string& name) {
  ReportRun run{name, record(database, problem), database.contest(problem), {}, {}};
  if (run.contest) run.parts = database.parts(problem, *run.contest);
  run.sessions = database.sessions(problem);
  run.references = database.references(problem);
  return run;
}

std::optional<std::size_t> champion_of(const ReportRun& run) {
  const auto& entries = run.recording.entries;
  if (run.contest && run.contest->won) {
    const auto genome = plan::genome_from(run.recording.problem.genes, run.contest->best.genome);
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].genome == genome && entries[i].measurement.ok()) return i;
  }
  return best_of(lineage_of(run.recording));
}

std::string report(const std::vector<ReportRun>& runs) {
  const ReportRun& run = runs.front();
  const TuningProblem& problem = run.recording.problem;
  return page(
      fmt::format("Tuning of {}, {}", problem.machine, problem.size),
      fmt::format("{}, {}, {}, {} thread{}, {} for {}; {}", problem.element, problem.numbers,
                  problem.backend, problem.threads, problem.threads == 1 ? "" : "s",
                  problem.compiler, problem.target, problem.host_fingerprint),
      {summary_section(run), evolution_section(run), progress_section(runs), parts_section(run),
       births_section(run), tests_section(run), roofline_section(run), schedule_section(run)});
}

}  // namespace paraiso::tune
