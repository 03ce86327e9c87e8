#include "paraiso/tune/scoreboard/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/tune/report/html/page.hpp"

namespace paraiso::tune {

namespace {

using TextRow = std::vector<std::string>;

constexpr const char* kMeaning =
    "Score: how much of the way from random drawing (calculated) to the best a search has gone, as "
    "the mean over the budgets at which random drawing has gone 50 to 95 % of the way from the "
    "median to the best; 0 is random, 1 the best at once. In brackets: 95 % intervals by "
    "resampling "
    "the seeds. After n: the part of the best reached by n evaluations, the median over the seeds. "
    "Reached: the part of the seeds that came to the goal at all; `never`: fewer than half of "
    "them.";

enum class Intervals { of_scores, of_all };

std::string score_cell(double score, const Interval& interval) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", score, interval.low, interval.high);
}

HtmlTable standings_table(const Scoreboard& board) {
  HtmlTable table{fmt::format("{} spaces, {} seeds", board.spaces.size(), board.plan.seeds),
                  {"strategy", "score", "spaces won"},
                  {}};
  for (const Standing& standing : board.standings)
    table.rows.push_back({standing.strategy, score_cell(standing.score, standing.interval),
                          std::to_string(standing.wins)});
  return table;
}

TextRow calculated_row(const SpaceFacts& facts) {
  TextRow row{"(random, calculated)", "0"};
  for (const double part : facts.random_after) row.push_back(fmt::format("{:.3f}", part));
  row.push_back(std::to_string(facts.random_to_goal));
  row.push_back("");
  return row;
}

std::string evaluations_text(double evaluations) {
  return std::isfinite(evaluations) ? fmt::format("{:.0f}", evaluations) : "never";
}

TextRow row_cells(const ScoreRow& row, Intervals shown) {
  const bool all = shown == Intervals::of_all;
  TextRow cells{row.strategy, score_cell(row.score, row.interval)};
  for (std::size_t m = 0; m < row.best_after.size(); ++m)
    cells.push_back(all ? score_cell(row.best_after[m], row.best_after_intervals[m])
                        : fmt::format("{:.3f}", row.best_after[m]));
  cells.push_back(evaluations_text(row.evaluations_to_goal.value_or(HUGE_VAL)));
  const Interval& interval = row.evaluations_interval;
  if (all)
    cells.back() +=
        fmt::format(" [{}, {}]", evaluations_text(interval.low), evaluations_text(interval.high));
  cells.push_back(fmt::format("{:.0f} %", 100 * row.reached));
  return cells;
}

HtmlTable space_table(const Scoreboard& board, const SpaceFacts& facts, Intervals shown) {
  HtmlTable table{
      fmt::format(
          "{}: {} individuals, {} of them failed; budgets {} to {} count; the start is at {}",
          facts.file, facts.individuals, facts.failures, facts.first, facts.last,
          facts.start ? fmt::format("{:.3f}", *facts.start) : "a random individual"),
      {"strategy", "score"},
      {calculated_row(facts)}};
  for (const std::size_t mark : board.plan.marks)
    table.head.push_back(fmt::format("after {}", mark));
  table.head.push_back(fmt::format("to {:.0f} %", 100 * board.plan.goal));
  table.head.emplace_back("reached");
  for (const ScoreRow& row : board.rows)
    if (row.file == facts.file) table.rows.push_back(row_cells(row, shown));
  return table;
}

std::vector<HtmlTable> tables_of(const Scoreboard& board, Intervals shown) {
  std::vector<HtmlTable> tables{standings_table(board)};
  for (const SpaceFacts& facts : board.spaces) tables.push_back(space_table(board, facts, shown));
  return tables;
}

/// The first column to the left, the others to the right.
std::string in_columns(const HtmlTable& table) {
  std::vector<std::size_t> widths;
  for (const std::string& cell : table.head) widths.push_back(cell.size());
  for (const TextRow& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  const auto line = [&](const TextRow& cells) {
    std::string text = fmt::format("{:<{}}", cells[0], widths[0]);
    for (std::size_t c = 1; c < cells.size(); ++c)
      text += fmt::format("  {:>{}}", cells[c], widths[c]);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = table.caption + "\n" + line(table.head);
  for (const TextRow& row : table.rows) text += line(row);
  return text;
}

/// One sentence a line.
std::string sentences(std::string text) {
  for (auto at = text.find(". "); at != std::string::npos; at = text.find(". ", at))
    text[at + 1] = '\n';
  return text;
}

}  // namespace

std::string scoreboard_text(const Scoreboard& board) {
  std::string text;
  for (const HtmlTable& table : tables_of(board, Intervals::of_scores))
    text += in_columns(table) + "\n";
  return text + sentences(kMeaning) + "\n";
}

std::string scoreboard_page(const Scoreboard& board) {
  std::vector<Section> sections;
  for (HtmlTable& table : tables_of(board, Intervals::of_all)) {
    std::string title = sections.empty() ? "Standings" : board.spaces[sections.size() - 1].machine;
    sections.push_back({std::move(title), html(table)});
  }
  sections.push_back({"What the numbers mean", paragraph(kMeaning)});
  return page("Scoreboard", "search strategies on complete recordings", sections);
}

}  // namespace paraiso::tune
