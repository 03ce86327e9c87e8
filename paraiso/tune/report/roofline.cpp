// Roofline: default and champion, compared with the program's needs and a machine's limits.
#include <fmt/format.h>

#include <algorithm>

#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/tune/report/html/chart.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

/// Per second, all threads together.
struct Limits {
  double operations = 0;
  std::vector<std::pair<std::string, double>> bytes;  // the farthest memory first
};

/// Of all ranks.
int threads_of(const TuningProblem& problem) {
  return problem.threads * om::ranks_of(problem.size);
}

Limits limits_of(const plan::MachineModel& machine, const TuningProblem& problem) {
  const double threads = threads_of(problem);
  const double lanes = machine.vector_bytes / (problem.element == "f32" ? 4 : 8);
  Limits limits{threads * lanes * machine.operations_per_second, {}};
  limits.bytes.emplace_back("memory",
                            std::min(machine.memory_all, threads * machine.memory_fetch * 2));
  for (std::size_t level = machine.caches.size(); level-- > 1;)
    limits.bytes.emplace_back(fmt::format("L{}", level + 1),
                              threads * machine.caches[level].bytes_per_second);
  return limits;
}

Chart chart_of(const Contest& contest, const Limits& limits) {
  constexpr double kLeast = 0.1, kMost = 100;
  constexpr const char* kColours[] = {"#1f77b4", "#2ca02c", "#9467bd", "#8c564b"};
  Chart chart;
  chart.title = "Roofline";
  chart.x_label = "operations per byte of memory that a cell and step must move";
  chart.y_label = "billion operations per second";
  chart.logarithmic_x = chart.logarithmic_y = true;
  chart.x_range = {kLeast, kMost};
  for (std::size_t level = 0; level < limits.bytes.size(); ++level) {
    const auto& [name, bytes] = limits.bytes[level];
    const double ridge = limits.operations / bytes;
    chart.series.push_back({name,
                            Chart::Style::lines,
                            {{kLeast, kLeast * bytes / 1e9, 0},
                             {std::min(ridge, kMost), std::min(ridge, kMost) * bytes / 1e9, 0}},
                            kColours[level % std::size(kColours)]});
  }
  chart.series.push_back(
      {"arithmetic",
       Chart::Style::lines,
       {{kLeast, limits.operations / 1e9, 0}, {kMost, limits.operations / 1e9, 0}},
       "#444444"});
  const double intensity = contest.operations / contest.bytes;
  const auto add_point = [&](const char* name, double score, const char* colour) {
    chart.series.push_back(
        {name, Chart::Style::points, {{intensity, score * contest.operations / 1e9, 0}}, colour});
  };
  const double lowest = std::min(contest.start.score, contest.best.score) * contest.operations;
  chart.y_range = {std::min(lowest / 3e9, limits.operations / 1e11), 2 * limits.operations / 1e9};
  add_point("default", contest.start.score, "#ff7f0e");
  add_point("best", contest.best.score, "#c0392b");
  return chart;
}

HtmlTable table_of(const Contest& contest, const Limits& limits) {
  HtmlTable table{"", {"schedule", "billion operations/s", "of the arithmetic limit"}, {}};
  std::vector<double> bytes;
  for (const auto& [name, limit] : limits.bytes) table.head.push_back("of " + name);
  const auto add = [&](const char* name, double score) {
    std::vector<std::string> row = {name, fmt::format("{:.2f}", score * contest.operations / 1e9),
                                    ratio_text(score * contest.operations / limits.operations)};
    for (const auto& [level, limit] : limits.bytes)
      row.push_back(ratio_text(score * contest.bytes / limit));
    table.rows.push_back(std::move(row));
  };
  add("default", contest.start.score);
  add("best", contest.best.score);
  return table;
}

}  // namespace

Section roofline_section(const ReportRun& run) {
  if (!run.contest || run.contest->bytes <= 0) return {"Roofline", note(kNoContest)};
  const Limits limits = limits_of(run.machine, run.recording.problem);
  return {
      "Roofline",
      paragraph(fmt::format("A step of one cell takes {:.4g} operations (an addition is one) and "
                            "must move {:.4g} bytes if all is read and written once.",
                            run.contest->operations, run.contest->bytes)) +
          html(chart_of(*run.contest, limits)) + html(table_of(*run.contest, limits)) +
          note(fmt::format("The limits are those that the cost model knows ({}), for {} threads, "
                           "and not measured with the scores. A grid that fits into a cache may "
                           "lie above the line of memory.",
                           run.machine.processor, threads_of(run.recording.problem)))};
}

}  // namespace paraiso::tune
