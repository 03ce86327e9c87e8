// Versions: which version of the step kernel runs at which size, with the thresholds between them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/tune/report/data/version_map.hpp"
#include "paraiso/tune/report/html/chart.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

constexpr const char* kVersionColours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728"};

double ratio(const VersionMap& map, const MeasuredSize& size, std::size_t version) {
  return size.seconds[version] / size.seconds[map.usual];
}

std::string threshold_text(const VersionMap& map, std::size_t guard) {
  return fmt::format("{} = {}", map.guards[guard].name, map.thresholds[guard]);
}

/// A curve of each version's times, and on it the sizes at which that version runs.
void add_times(Chart& chart, const VersionMap& map, const std::vector<MeasuredSize>& sizes) {
  for (std::size_t v = 0; v < map.versions.size(); ++v) {
    const char* colour = kVersionColours[v % std::size(kVersionColours)];
    Chart::Series curve{map.versions[v], Chart::Style::lines, {}, colour};
    Chart::Series runs{"", Chart::Style::points, {}, colour};
    for (const MeasuredSize& size : sizes) {
      curve.rows.push_back({size.cells, ratio(map, size, v), 0});
      if (size.taken == v) runs.rows.push_back(curve.rows.back());
    }
    chart.series.push_back(std::move(curve));
    chart.series.push_back(std::move(runs));
  }
}

/// The map itself, a band along the lower edge, and a line across the chart for each threshold.
void add_map(Chart& chart, const VersionMap& map, double band) {
  const std::array<double, 2>& edges = *chart.y_range;
  for (const Stretch& stretch : stretches_of(map))
    chart.series.push_back({"",
                            Chart::Style::bands,
                            {{stretch.from, band, 0}, {stretch.to, band, 0}},
                            kVersionColours[stretch.version % std::size(kVersionColours)]});
  for (const ThresholdPlace& place : threshold_places(map))
    chart.series.push_back({threshold_text(map, place.guard),
                            Chart::Style::segments,
                            {{place.cells, edges[0], 0}, {place.cells, edges[1], 0}},
                            "#444444"});
}

/// The lowest and the highest point of all curves: ratios, of which 1 is one.
std::array<double, 2> extremes(const VersionMap& map, const std::vector<MeasuredSize>& sizes) {
  double least = 1, most = 1.02;  // or all curves would be the frame
  for (const MeasuredSize& size : sizes)
    for (std::size_t v = 0; v < map.versions.size(); ++v) {
      least = std::min(least, ratio(map, size, v));
      most = std::max(most, ratio(map, size, v));
    }
  return {least, most};
}

Chart chart_of(const VersionMap& map, const std::vector<MeasuredSize>& sizes) {
  const auto [least, most] = extremes(map, sizes);
  Chart chart;
  chart.title = "Which version runs at which size";
  chart.x_label = differ_in_shape(map) ? "cells of a row" : "cells of the grid";
  chart.y_label = fmt::format("time over that of `{}`", map.versions[map.usual]);
  chart.logarithmic_x = true;
  // Within a decade, a logarithmic axis would have one label.
  chart.logarithmic_y = most >= 10 * least;
  const auto level = [&, least = least, most = most](double part) {
    return chart.logarithmic_y ? least * std::pow(most / least, part)
                               : least + part * (most - least);
  };
  chart.x_range = {sizes.front().cells / 1.2, sizes.back().cells * 1.2};
  chart.y_range = {level(-0.12), level(1.06)};
  add_times(chart, map, sizes);
  add_map(chart, map, level(-0.06));
  return chart;
}

HtmlTable table_of(const VersionMap& map, const std::vector<MeasuredSize>& sizes) {
  HtmlTable table{fmt::format("Time of each version over that of {}", map.versions[map.usual]),
                  {"size", "ladder"},
                  {}};
  table.head.insert(table.head.end(), map.versions.begin(), map.versions.end());
  table.head.push_back("runs");
  for (const MeasuredSize& size : sizes) {
    std::vector<std::string> row{size.name, size.judged ? "judged" : "tuned"};
    for (std::size_t v = 0; v < map.versions.size(); ++v)
      row.push_back(ratio_text(ratio(map, size, v)));
    row.push_back(map.versions[size.taken]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string verdict_text(const VersionMap& map) {
  const auto runs = versions_of(map.guards, map.thresholds, map.judged.sizes);
  const Verdict verdict = judge(map.tuned, map.judged, runs, map.usual);
  return fmt::format(
      "On sizes that the thresholds were not tuned on, the program is {:.3f} times as fast as with "
      "`{}` alone, the best single version on the sizes that were tuned on, and {:.3f} times as "
      "fast as with `{}`. "
      "The worst of them is {}, where it takes {:.3f} times as long as `{}`.",
      map.gain, map.best_single, verdict.gain_usual, map.versions[map.usual],
      map.judged.sizes[verdict.worst_size].name, verdict.worst, map.versions[map.usual]);
}

/// Of guards that no line of the chart shows.
std::string notes(const VersionMap& map) {
  std::string text;
  const auto places = threshold_places(map);
  for (std::size_t guard = 0; guard < map.guards.size(); ++guard) {
    if (std::ranges::find(places, guard, &ThresholdPlace::guard) != places.end()) continue;
    const bool holds = map.thresholds[guard] <= map.tuned.sizes.front().values[guard];
    text += note(fmt::format("The guard of `{}` {} at all of these sizes.", map.versions[guard],
                             holds ? "holds" : "fails"));
  }
  return text;
}

}  // namespace

Section versions_section(const VersionMap& map) {
  const auto sizes = sizes_of(map);
  return {
      "Versions by size",
      paragraph(verdict_text(map)) + html(chart_of(map, sizes)) +
          note("The band says which version runs, and so does the mark at each size. A vertical "
               "line is a threshold, drawn where its measure reaches it.") +
          notes(map) + html(table_of(map, sizes)) +
          note("Thresholds were tuned on one ladder of sizes and judged on another, whose "
               "sizes lie between those of the first.")};
}

}  // namespace paraiso::tune
