// Births: which kinds of birth contributed to the best, and how children compare with their
// parents. Tables A1 to A14 of the 2012 paper.
#include <fmt/format.h>

#include "paraiso/tune/analysis/contribution.hpp"
#include "paraiso/tune/analysis/fitness_rank.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

constexpr const char* kBirths[] = {"mutation", "crossover", "triangulation"};
constexpr const char* kRanks[kRankCount] = {"much slower", "slower", "alike", "much faster"};

std::string part_text(std::int64_t count, std::int64_t all) {
  if (all == 0) return "-";
  return fmt::format("{} ({:.3f})", count, static_cast<double>(count) / static_cast<double>(all));
}

HtmlTable distances(const Lineage& lineage) {
  const ContributionTable counts = contribution_table(lineage);
  HtmlTable table{"Contribution distance",
                  {"distance", "no parents", "one: mutation", "two: crossover",
                   "three: triangulation", "total"},
                  {}};
  const auto add = [&](const std::string& name, const auto& row) {
    std::vector<std::string> cells = {name};
    std::int64_t total = 0;
    for (std::size_t parents = 0; parents < ContributionTable::kColumns; ++parents) {
      cells.push_back(part_text(row[parents], counts.sum(parents)));
      total += row[parents];
    }
    cells.push_back(part_text(total, counts.sum()));
    table.rows.push_back(std::move(cells));
  };
  for (std::size_t d = 0; d < counts.rows.size(); ++d) add(std::to_string(d), counts.rows[d]);
  add("strangers", counts.strangers);
  return table;
}

HtmlTable ranks(const Lineage& lineage) {
  const RankTable counts = rank_table(lineage, contribution_distances(lineage));
  HtmlTable table{"Fitness relative to the parents",
                  {"birth", "rank", "individuals", "at distance 0", "contribution ratio"},
                  {}};
  for (std::size_t birth = 0; birth < counts.cells.size(); ++birth) {
    std::int64_t all = 0;
    for (const auto& cell : counts.cells[birth]) all += cell.all;
    for (std::size_t rank = 0; rank < kRankCount; ++rank) {
      const RankTable::Cell& cell = counts.cells[birth][rank];
      table.rows.push_back({kBirths[birth], kRanks[rank], part_text(cell.all, all),
                            part_text(cell.contributing, all),
                            cell.all == 0
                                ? "-"
                                : fmt::format("{:.3f}", static_cast<double>(cell.contributing) /
                                                            static_cast<double>(cell.all))});
    }
  }
  return table;
}

}  // namespace

Section births_section(const ReportRun& run) {
  const Lineage lineage = lineage_of(run.recording);
  return {
      "Births and families",
      html(distances(lineage)) +
          note("Distance 0: the best within a deviation, and all their ancestors. Else one more "
               "than the nearest parent's. Strangers have no such ancestor. In parentheses: "
               "the part of the column.") +
          html(ranks(lineage)) +
          note("Much slower, much faster: than each parent, by more than both deviations. "
               "Alike: as the fastest parent. In parentheses: the part of this birth.")};
}

}  // namespace paraiso::tune
