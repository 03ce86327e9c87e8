// The sections of a report, one file each. To add one: its file, its line here, its line in
// report.cpp. Gives: kNoContest, *_section. Needs: report, page.
#pragma once

#include "paraiso/tune/report/html/page.hpp"
#include "paraiso/tune/report/report.hpp"

namespace paraiso::tune {

/// The champion's index among the individuals: the winner of the contest, else the highest score.
[[nodiscard]] std::optional<std::size_t> champion_of(const ReportRun& run);

/// What is said where a run has had no contest.
inline constexpr const char* kNoContest = "There has been no contest with the default schedule.";

[[nodiscard]] Section summary_section(const ReportRun& run);
[[nodiscard]] Section evolution_section(const ReportRun& run);
[[nodiscard]] Section progress_section(const std::vector<ReportRun>& runs);
/// Of a run with a prediction to show.
[[nodiscard]] Section prediction_section(const ReportRun& run);
[[nodiscard]] Section parts_section(const ReportRun& run);
[[nodiscard]] Section births_section(const ReportRun& run);
[[nodiscard]] Section tests_section(const ReportRun& run);
[[nodiscard]] Section roofline_section(const ReportRun& run);
[[nodiscard]] Section versions_section(const VersionMap& map);
[[nodiscard]] Section schedule_section(const ReportRun& run);

}  // namespace paraiso::tune
