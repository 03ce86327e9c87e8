// Prediction beside search: what other solvers let expect of this one, and what a search has found.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/tune/predict/near/predict_schedule.hpp"
#include "paraiso/tune/report/html/chart.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"
#include "paraiso/tune/rivals/rivals.hpp"

namespace paraiso::tune {

namespace {

/// What the curves of the chart are; the table has all orders.
constexpr const char* kDrawn[] = {"votes", "fast", "ours", "search"};
constexpr const char* kOrderColours[] = {"#2ca02c", "#ff7f0e", "#9467bd", "#1f77b4"};
constexpr double kMostTries = 50;

std::string or_dash(double ratio) { return ratio > 0 ? ratio_text(ratio) : "-"; }

std::string verdict_text(const PredictionBesideSearch& beside, double champion) {
  if (beside.expected.empty())
    return "No tuned problem of another solver is like this one: the default schedule is "
           "predicted.";
  const ExpectedSchedule& first = beside.expected.front();
  if (beside.predicts_default())
    return fmt::format(
        "The default schedule is predicted: no other one is expected to be {} times "
        "as fast.",
        kLeastGain);
  const std::string expected =
      fmt::format("Predicted is what was best for {}, {:.2f} times as fast as the default. ",
                  first.from.front(), first.gain);
  if (!first.score) return expected + "No individual has this schedule: its speed is not known.";
  if (*first.score <= 0) return expected + "Here it failed.";
  return expected + fmt::format("Measured: {} times as fast as the default, {} as the champion.",
                                or_dash(beside.untuned > 0 ? *first.score / beside.untuned : 0),
                                or_dash(champion > 0 ? *first.score / champion : 0));
}

HtmlTable expected_table(const PredictionBesideSearch& beside, double champion) {
  HtmlTable table{"What the problems most alike let expect",
                  {"best schedule of", "likeness", "expected gain", "million cells/s here",
                   "over the default", "over the champion"},
                  {}};
  for (const ExpectedSchedule& one : beside.expected) {
    const double score = one.score.value_or(0);
    table.rows.push_back({fmt::format("{}{}", fmt::join(one.from, ", "),
                                      one.is_default ? " (here the default)" : ""),
                          fmt::format("{:.2f}", one.likeness), ratio_text(one.gain),
                          !one.score  ? "-"
                          : score > 0 ? fmt::format("{:.4g}", score / 1e6)
                                      : "failed",
                          or_dash(beside.untuned > 0 ? score / beside.untuned : 0),
                          or_dash(champion > 0 ? score / champion : 0)});
  }
  return table;
}

HtmlTable orders_table(const PredictionBesideSearch& beside) {
  HtmlTable table{"Part of the best speed that is reached", {"order"}, {}};
  for (const std::size_t mark : kMarks)
    table.head.push_back(mark == 1 ? "without a run" : fmt::format("{} runs", mark));
  for (const BestSoFar& order : beside.orders) {
    std::vector<std::string> row{order.name};
    for (const std::size_t mark : kMarks)
      row.push_back(or_dash(order.fractions[std::min(mark, order.fractions.size()) - 1]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Chart chart_of(const PredictionBesideSearch& beside) {
  Chart chart;
  chart.title = "Best so far, predicted and searched";
  chart.x_label = "schedules tried";
  chart.y_label = "of the best speed";
  chart.x_range = {1, kMostTries}, chart.y_range = {0, 1.02};
  for (std::size_t d = 0; d < std::size(kDrawn); ++d) {
    const auto order = std::ranges::find(beside.orders, kDrawn[d], &BestSoFar::name);
    if (order == beside.orders.end()) continue;
    Chart::Series series{order->name, Chart::Style::steps, {}, kOrderColours[d]};
    for (std::size_t t = 0; t < order->fractions.size(); ++t)
      series.rows.push_back({static_cast<double>(t + 1), order->fractions[t], 0});
    if (order->fractions.size() < kMostTries)  // nothing better comes
      series.rows.push_back({kMostTries, order->fractions.back(), 0});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string explained(const PredictionBesideSearch& beside, std::size_t individuals) {
  std::string text = fmt::format(
      "The best speed is that of all {} individuals, {:.4g} million cells/s. `votes` tries "
      "what the problems most alike voted for; a schedule that no individual has adds nothing. ",
      individuals, beside.best / 1e6);
  if (beside.recipes > 0)
    text += fmt::format(
        "The others but `search` are orders of the first {} recipes of the list "
        "that all programs share, by what other solvers' speeds let expect: "
        "`paraiso rivals` explains them. ",
        beside.recipes);
  const bool searched = !beside.orders.empty() && beside.orders.back().name == "search";
  if (!searched) return text + "Nothing but that was measured: there is no search to compare.";
  return text + "`search` has the other individuals in the order in which they were measured." +
         (beside.search_knew_list
              ? " It began when recipes of the list were known, and learnt from them."
              : "");
}

}  // namespace

Section prediction_section(const ReportRun& run) {
  const PredictionBesideSearch& beside = run.prediction;
  const auto& entries = run.recording.entries;
  const auto best = champion_of(run);
  const double champion = best ? entries[*best].measurement.score : 0;
  std::string body = paragraph(verdict_text(beside, champion));
  if (!beside.expected.empty()) body += html(expected_table(beside, champion));
  return {"Prediction beside search", body + html(chart_of(beside)) + html(orders_table(beside)) +
                                          note(explained(beside, entries.size()))};
}

}  // namespace paraiso::tune
