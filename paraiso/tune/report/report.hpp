// report: a tuning as one HTML page.
// Gives: ReportRun, report. Needs: recording, database, chart, page.
#pragma once

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/tune/replay/recording.hpp"

namespace paraiso::tune {

/// What is known of one problem's tuning. Of a recording that was exported it is the first alone.
struct ReportRun {
  std::string name;  // the file's
  Recording recording;
  std::optional<Contest> contest;
  std::vector<Part> parts;
  std::vector<SessionCount> sessions;
  std::vector<Reference> references = {};
  plan::MachineModel machine = plan::documented_machine();  // whose limits are drawn
};

[[nodiscard]] ReportRun read_run(Database& database, std::int64_t problem, const std::string& name);

/// All about the first run, which must have an individual; of the others, how fast they found what
/// they found. Throws Error as `svg`.
[[nodiscard]] std::string report(const std::vector<ReportRun>& runs);

}  // namespace paraiso::tune
