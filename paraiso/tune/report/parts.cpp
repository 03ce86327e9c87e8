// Parts: the champion's changes, and the gain of each, alone and together. Table 10 of the 2012
// paper.
#include "paraiso/tune/contest/parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

using ByName = std::map<std::string, Measurement>;

ByName by_name(const std::vector<TakenGenes>& parts) {
  ByName found;
  for (const TakenGenes& part : parts) found[part.name] = part.measurement;
  return found;
}

/// The two ends of the scale: the start and the champion.
struct Scale {
  double start = 0, champion = 0;

  [[nodiscard]] double relative(double score) const { return (score - start) / (champion - start); }
  [[nodiscard]] double logarithmic(double score) const {
    return std::log(score / start) / std::log(champion / start);
  }
};

std::vector<std::string> crossing_row(std::size_t parts, const Measurement& measurement,
                                      const Scale& scale) {
  std::vector<std::string> row;
  for (std::size_t part = 0; part < kPartCount; ++part)
    row.push_back((parts >> part & 1) != 0 ? "champion" : "default");
  if (!measurement.ok()) {
    row.insert(row.end(), {"failed: " + measurement.reason, "-", "-"});
    return row;
  }
  row.push_back(score_text(measurement.score, measurement.deviation));
  row.push_back(ratio_text(scale.relative(measurement.score)));
  row.push_back(ratio_text(scale.logarithmic(measurement.score)));
  return row;
}

std::string crossing_table(const ByName& measured) {
  const auto start = measured.find(crossing_name(0));
  const auto champion = measured.find(crossing_name((1 << kPartCount) - 1));
  if (start == measured.end() || champion == measured.end() || !start->second.ok() ||
      !champion->second.ok())
    return note("Not measured yet: `paraiso tune ... --parts` does that.");
  const Scale scale{start->second.score, champion->second.score};
  HtmlTable table{
      "Artificial crossovers of default and champion",
      {"launch", "storage", "synchronisation", "million cells/s", "relative", "logarithmic"},
      {}};
  for (std::size_t parts = 0; parts < std::size_t{1} << kPartCount; ++parts)
    if (const auto found = measured.find(crossing_name(parts)); found != measured.end())
      table.rows.push_back(crossing_row(parts, found->second, scale));
  return html(table) +
         note(
             "Relative: 0 is the default, 1 the champion. Logarithmic: the same of the logarithms "
             "of the scores, in which independent gains add up.");
}

std::string worth(const ByName& measured, const std::string& name, const std::string& base) {
  const auto part = measured.find(name), whole = measured.find(base);
  if (part == measured.end() || whole == measured.end() || !whole->second.ok()) return "-";
  if (!part->second.ok()) return "failed";
  return ratio_text(part->second.score / whole->second.score);
}

std::string gene_table(const std::vector<GeneChange>& all, const ByName& measured) {
  HtmlTable table{
      "Gene by gene", {"gene", "part", "default", "champion", "alone", "all but it"}, {}};
  for (const GeneChange& change : all)
    table.rows.push_back(
        {change.gene, name(change.part), change.from, change.to,
         worth(measured, "only " + change.gene, crossing_name(0)),
         worth(measured, "all but " + change.gene, crossing_name((1 << kPartCount) - 1))});
  return html(table) + note(
                           "Alone: the default schedule with this change, over the default. All "
                           "but it: the champion without this change, over the champion.");
}

}  // namespace

Section parts_section(const ReportRun& run) {
  const char* title = "What the champion changed";
  if (run.contest && !run.contest->won)
    return {title, note("There is none: the default schedule stays.")};
  if (!run.contest) return {title, note(kNoContest)};
  const auto& genes = run.recording.problem.genes;
  const auto all = changes(genes, plan::genome_from(genes, run.contest->start.genome),
                           plan::genome_from(genes, run.contest->best.genome));
  if (all.empty()) return {title, paragraph("Nothing: the default schedule is the best known.")};
  const ByName measured = by_name(run.parts);
  return {title, paragraph(fmt::format("{} of {} genes differ from the default.", all.size(),
                                       genes.size())) +
                     crossing_table(measured) + gene_table(all, measured)};
}

}  // namespace paraiso::tune
