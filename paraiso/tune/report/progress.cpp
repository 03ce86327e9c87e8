// Progress: the best score so far, of each run. Figure 14 of the 2012 paper.
#include <fmt/format.h>

#include <algorithm>

#include "paraiso/tune/report/html/chart.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

constexpr const char* kColours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                    "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};

Chart::Series best_so_far(const ReportRun& run, std::size_t place) {
  Chart::Series series{run.name, Chart::Style::steps, {}, kColours[place % std::size(kColours)]};
  const auto& entries = run.recording.entries;
  double best = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double score = entries[i].measurement.score;
    if (score <= best && i + 1 < entries.size()) continue;
    best = std::max(best, score);
    series.rows.push_back({static_cast<double>(i + 1), best / 1e6, 0});
  }
  return series;
}

}  // namespace

Section progress_section(const std::vector<ReportRun>& runs) {
  Chart chart;
  chart.title = "Best so far";
  chart.x_label = "individual";
  chart.y_label = "million cell updates per second";
  for (std::size_t place = 0; place < runs.size(); ++place)
    chart.series.push_back(best_so_far(runs[place], place));
  std::string body = html(chart);
  if (runs.size() == 1)
    body += note("`paraiso report` also draws the curves of further databases or recordings.");
  return {"Progress", body};
}

}  // namespace paraiso::tune
