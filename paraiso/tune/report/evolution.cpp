// Evolution: every individual's score, with the champion's family tree drawn in. Figures 11 to 13
// of the 2012 paper.
#include <fmt/format.h>

#include <algorithm>

#include "paraiso/tune/report/html/chart.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

// More points than this make the page heavy and the picture no richer.
constexpr std::size_t kMostDots = 6000;
constexpr const char* kOthers = "#9aa5b1";
constexpr const char* kFamily = "#c0392b";
constexpr const char* kFailed = "#e0a100";

/// The champion and all its ancestors, ascending.
std::vector<std::size_t> family_of(const Lineage& lineage, std::size_t champion) {
  std::vector<bool> inside(champion + 1);
  inside[champion] = true;
  std::vector<std::size_t> family;
  for (std::size_t i = champion + 1; i-- > 0;) {
    if (!inside[i]) continue;
    for (const std::size_t parent : lineage[i].parents) inside[parent] = true;
    family.push_back(i);
  }
  std::ranges::reverse(family);
  return family;
}

double millions(double score) { return score / 1e6; }
double number(std::size_t individual) { return static_cast<double>(individual + 1); }

class Evolution {
 public:
  explicit Evolution(const ReportRun& run) : lineage_(lineage_of(run.recording)) {
    champion_ = champion_of(run);
    if (champion_) family_ = family_of(lineage_, *champion_);
  }

  [[nodiscard]] bool has_champion() const { return champion_.has_value(); }
  [[nodiscard]] std::size_t family_size() const { return family_.size(); }
  /// Of the best over the family's first member, in millions.
  [[nodiscard]] double gain() const { return top() - millions(lineage_[family_.front()].score); }
  [[nodiscard]] std::size_t shown_every() const { return lineage_.size() / kMostDots + 1; }
  [[nodiscard]] const std::vector<std::size_t>& family() const { return family_; }

  [[nodiscard]] Chart all() const {
    Chart chart = frame("All individuals, and the family tree of the champion");
    chart.series = {dots("others", true), dots("failed", false), tree(), members()};
    chart.y_range = {0, 1.05 * top()};
    return chart;
  }

  /// From where `part` of the gain over the family's first was reached.
  [[nodiscard]] Chart enlarged(double part) const {
    Chart chart = all();
    chart.title = fmt::format("Enlarged: from {:.0f} % of the gain on", 100 * part);
    const double bottom = top() - (1 - part) * gain();
    chart.y_range = {bottom, top() + 0.05 * (1 - part) * gain() + 1e-3 * top()};
    const auto reached =
        std::ranges::find_if(lineage_, [&](const Member& m) { return millions(m.score) > bottom; });
    chart.x_range = {number(static_cast<std::size_t>(reached - lineage_.begin())) - 1,
                     number(lineage_.size())};
    return chart;
  }

  /// Score and deviation along the family tree.
  [[nodiscard]] Chart deviations() const {
    Chart chart = frame("The champion's family: score and its deviation");
    Chart::Series series{"mean and deviation", Chart::Style::errors, {}, kFamily};
    for (const std::size_t i : family_)
      series.rows.push_back(
          {number(i), millions(lineage_[i].score), millions(lineage_[i].deviation)});
    chart.series = {tree(), std::move(series)};
    return chart;
  }

 private:
  [[nodiscard]] static Chart frame(const std::string& title) {
    Chart chart;
    chart.title = title;
    chart.x_label = "individual";
    chart.y_label = "million cell updates per second";
    return chart;
  }

  [[nodiscard]] double top() const {
    return champion_ ? millions(std::ranges::max(lineage_, {}, &Member::score).score) : 1;
  }

  [[nodiscard]] Chart::Series dots(const char* name, bool successful) const {
    Chart::Series series{name, Chart::Style::dots, {}, successful ? kOthers : kFailed};
    for (std::size_t i = 0; i < lineage_.size(); i += shown_every())
      if ((lineage_[i].score > 0) == successful)
        series.rows.push_back({number(i), millions(lineage_[i].score), 0});
    return series;
  }

  [[nodiscard]] Chart::Series tree() const {
    Chart::Series series{"", Chart::Style::segments, {}, kFamily};
    for (const std::size_t child : family_)
      for (const std::size_t parent : lineage_[child].parents)
        for (const std::size_t end : {parent, child})
          series.rows.push_back({number(end), millions(lineage_[end].score), 0});
    return series;
  }

  [[nodiscard]] Chart::Series members() const {
    Chart::Series series{"champion and ancestors", Chart::Style::crosses, {}, kFamily};
    for (const std::size_t i : family_)
      series.rows.push_back({number(i), millions(lineage_[i].score), 0});
    return series;
  }

  Lineage lineage_;
  std::optional<std::size_t> champion_;
  std::vector<std::size_t> family_;
};

HtmlTable family_table(const Evolution& evolution, const Recording& recording) {
  HtmlTable table{"The family tree", {"individual", "born by", "parents", "million cells/s"}, {}};
  for (const std::size_t i : evolution.family()) {
    const Recording::Entry& entry = recording.entries[i];
    std::string parents;
    for (const std::size_t parent : entry.parents)
      parents += (parents.empty() ? "" : ", ") + std::to_string(parent + 1);
    table.rows.push_back({std::to_string(i + 1), entry.method, parents,
                          score_text(entry.measurement.score, entry.measurement.deviation)});
  }
  return table;
}

}  // namespace

Section evolution_section(const ReportRun& run) {
  const Evolution evolution(run);
  if (!evolution.has_champion()) return {"Evolution", paragraph("No individual succeeded.")};
  std::string body = paragraph(fmt::format(
      "{} individuals; {} has {} ancestors.", run.recording.entries.size(),
      run.contest && !run.contest->won ? "the best" : "the champion", evolution.family_size() - 1));
  body += html(evolution.all());
  if (evolution.shown_every() > 1)
    body += note(fmt::format("Of the others, one in {} is drawn.", evolution.shown_every()));
  if (evolution.gain() > 0)
    for (const double part : {0.5, 0.9}) body += html(evolution.enlarged(part));
  body += html(evolution.deviations());
  constexpr std::size_t kLongest = 60;
  if (evolution.family_size() <= kLongest) body += html(family_table(evolution, run.recording));
  return {"Evolution", body};
}

}  // namespace paraiso::tune
