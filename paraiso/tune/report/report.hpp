// report: a tuning as one HTML page.
// Gives: ReportRun, read_run, report. Needs: recording, database, chart, page, data.
#pragma once

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/tune/replay/recording.hpp"
#include "paraiso/tune/report/data/prediction_beside_search.hpp"
#include "paraiso/tune/report/data/version_map.hpp"

namespace paraiso::tune {

/// What is known of one problem's tuning; from an exported recording, only its individuals.
struct ReportRun {
  std::string name;  // the file's
  Recording recording;
  std::optional<Contest> contest;
  std::vector<TakenGenes> parts;
  std::vector<TunerRunCount> sessions;
  std::vector<ReferenceTiming> references = {};
  plan::MachineModel machine = plan::documented_machine();  // whose limits are drawn
  PredictionBesideSearch prediction = {.why_not = "a recording knows no other problems"};
  std::optional<VersionMap> versions = {};
};

[[nodiscard]] ReportRun read_run(Database& database, std::int64_t problem, const std::string& name);

/// A report on the first run, which must have an individual; for the others, only their progress.
/// Throws Error as `svg` does.
[[nodiscard]] std::string report(const std::vector<ReportRun>& runs);

}  // namespace paraiso::tune
