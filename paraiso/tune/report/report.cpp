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

namespace {

/// Sections of which there is nothing to show are left out; the summary says why.
std::vector<Section> sections_of(const std::vector<ReportRun>& runs) {
  const ReportRun& run = runs.front();
  std::vector<Section> sections{summary_section(run), evolution_section(run),
                                progress_section(runs)};
  if (run.prediction.why_not.empty()) sections.push_back(prediction_section(run));
  sections.insert(sections.end(), {parts_section(run), births_section(run), tests_section(run),
                                   roofline_section(run)});
  if (run.versions) sections.push_back(versions_section(*run.versions));
  sections.push_back(schedule_section(run));
  return sections;
}

}  // namespace

std::string report(const std::vector<ReportRun>& runs) {
  const TuningProblem& problem = runs.front().recording.problem;
  return page(
      fmt::format("Tuning of {}, {}", problem.machine, problem.size),
      fmt::format("{}, {}, {}, {} thread{}, {} for {}; {}", problem.element, problem.numbers,
                  problem.backend, problem.threads, problem.threads == 1 ? "" : "s",
                  problem.compiler, problem.target, problem.host_fingerprint),
      sections_of(runs));
}

}  // namespace paraiso::tune
