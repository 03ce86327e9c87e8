#include "paraiso/tune/report/figures_page.hpp"

#include <fmt/format.h>

#include "paraiso/tune/report/html/chart.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/html/page.hpp"

namespace paraiso::tune {

namespace {

constexpr const char* kColumnColours[] = {"#1f77b4", "#999999", "#ff7f0e",
                                          "#2ca02c", "#9467bd", "#8c564b"};

std::string words(std::string column) {
  for (char& letter : column)
    if (letter == '_') letter = ' ';
  return column;
}

/// All columns that are parts over the first one.
Chart chart_of(const PaperFigure& figure) {
  Chart chart;
  chart.title = figure.title;
  chart.x_label = words(figure.columns.front());
  chart.y_label = figure.names.empty() ? words(figure.columns[1]) : "";
  double most = 1;
  for (const auto& row : figure.rows)
    for (std::size_t c = 1; c < row.size(); ++c)
      if (figure.columns[c] != "pairs") most = std::max(most, row[c]);
  chart.y_range = {0, 1.05 * most};
  for (std::size_t c = 1; c < figure.columns.size(); ++c) {
    if (figure.columns[c] == "pairs") continue;
    Chart::Series series{words(figure.columns[c]),
                         Chart::Style::lines,
                         {},
                         kColumnColours[(c - 1) % std::size(kColumnColours)]};
    for (const auto& row : figure.rows) series.rows.push_back({row[0], row[c], 0});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// What the numbers of a chart of programs stand for.
HtmlTable table_of(const PaperFigure& figure) {
  HtmlTable table{"", {"", "program"}, {}};
  for (std::size_t c = 1; c < figure.columns.size(); ++c)
    table.head.push_back(words(figure.columns[c]));
  for (std::size_t r = 0; r < figure.rows.size(); ++r) {
    std::vector<std::string> cells{std::to_string(r + 1), figure.names[r]};
    for (std::size_t c = 1; c < figure.rows[r].size(); ++c)
      cells.push_back(fmt::format("{:.3g}", figure.rows[r][c]));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Section section_of(const PaperFigure& figure) {
  return {fmt::format("Figure {}", figure.name),
          paragraph(fmt::format("The paper: {}. It {}: {}.", figure.claim, holds_text(figure.holds),
                                figure.seen)) +
              (figure.rows.size() > 1 ? html(chart_of(figure)) : "") +
              (figure.names.empty() ? "" : html(table_of(figure)))};
}

HtmlTable programs(const std::vector<SolutionSpace>& spaces) {
  HtmlTable table{"Recorded", {"program and size", "recipes", "best (million cells/s)"}, {}};
  for (const SolutionSpace& space : spaces)
    table.rows.push_back({space.name, std::to_string(space.speed.size()),
                          fmt::format("{:.4g}", space.best() / 1e6)});
  return table;
}

}  // namespace

const char* holds_text(PaperFigure::Holds holds) {
  switch (holds) {
    case PaperFigure::Holds::yes: return "holds here";
    case PaperFigure::Holds::no: return "fails here";
    case PaperFigure::Holds::unknown: break;
  }
  return "can't be told, there is too little data";
}

std::string figures_page(const std::vector<PaperFigure>& figures,
                         const std::vector<SolutionSpace>& spaces) {
  std::vector<Section> sections;
  for (const PaperFigure& figure : figures) sections.push_back(section_of(figure));
  sections.push_back({"What was recorded", html(programs(spaces))});
  return page(
      "Figures of FAST (2015)",
      fmt::format("{} programs and sizes, {} recipes", spaces.size(), spaces.front().speed.size()),
      sections);
}

}  // namespace paraiso::tune
