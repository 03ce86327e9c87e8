// Summary: the result, the searches, how individuals were born and why they failed.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

std::string outcome(const Contest& contest) {
  const double ratio = contest.best.score / contest.start.score;
  const std::string sides = fmt::format(
      "Measured side by side in alternation: the best schedule {}, the default schedule {} million "
      "cell updates per second, {} times. ",
      score_text(contest.best.score, contest.best.deviation),
      score_text(contest.start.score, contest.start.deviation), ratio_text(ratio));
  return sides + (contest.won ? "It is the champion, which runs use."
                  : ratio < 1.0
                      ? "It is slower: the default schedule stays."
                      : "It is not faster by more than the uncertainty: the default schedule "
                        "stays.");
}

HtmlTable births(const Recording& recording) {
  struct Count {
    std::int64_t all = 0, failed = 0;
    double best = 0;
  };
  std::map<std::string, Count> counts;
  for (const Recording::Entry& entry : recording.entries) {
    Count& count = counts[entry.method];
    ++count.all;
    count.failed += !entry.measurement.ok();
    count.best = std::max(count.best, entry.measurement.score);
  }
  HtmlTable table{"Births", {"method", "individuals", "failed", "best (million cells/s)"}, {}};
  for (const auto& [method, count] : counts)
    table.rows.push_back({method, std::to_string(count.all), std::to_string(count.failed),
                          count.best > 0 ? fmt::format("{:.4g}", count.best / 1e6) : "-"});
  return table;
}

HtmlTable failures(const Recording& recording) {
  struct Kind {
    std::int64_t count = 0;
    std::string example, sources;
  };
  std::map<std::string, Kind> kinds;
  for (const Recording::Entry& entry : recording.entries) {
    if (entry.measurement.ok()) continue;
    Kind& kind = kinds[reason_class(entry.measurement.reason)];
    if (kind.count++ == 0) kind.example = entry.measurement.reason;
    // Only the newest sources are kept.
    if (std::error_code ignored; std::filesystem::is_directory(entry.measurement.sources, ignored))
      kind.sources = entry.measurement.sources;
  }
  HtmlTable table{"Failures", {"reason", "individuals", "the first", "sources of the last"}, {}};
  for (const auto& [reason, kind] : kinds)
    table.rows.push_back({reason, std::to_string(kind.count), kind.example,
                          kind.sources.empty() ? "-" : kind.sources});
  return table;
}

/// Of seconds since 1970, in the years that have four digits.
std::string time_text(double seconds) {
  if (!(seconds >= 0 && seconds < 253402300800.0)) return "-";
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

HtmlTable sessions(const std::vector<TunerRunCount>& counts) {
  HtmlTable table{"Sessions", {"started (UTC)", "strategy", "seed", "individuals", "command"}, {}};
  for (const TunerRunCount& count : counts) {
    const TunerRun& session = count.session;
    table.rows.push_back({time_text(session.started), session.strategy,
                          std::to_string(session.seed), std::to_string(count.individuals),
                          session.command});
  }
  return table;
}

/// Which sections are not there, and why.
std::string left_out(const ReportRun& run) {
  std::vector<std::string> reasons;
  if (!run.prediction.why_not.empty())
    reasons.push_back(fmt::format("prediction beside search ({})", run.prediction.why_not));
  if (!run.versions) reasons.push_back("versions by size (no `--thresholds FILE` was given)");
  if (reasons.empty()) return "";
  return note(fmt::format("Left out: {}.", fmt::join(reasons, "; ")));
}

}  // namespace

Section summary_section(const ReportRun& run) {
  const HtmlTable failed = failures(run.recording);
  std::string body = run.contest
                         ? paragraph(outcome(*run.contest))
                         : note("No contest of the best with the default schedule is recorded.");
  if (const std::string drift = drift_text(run.references); !drift.empty())
    body += paragraph("While individuals were measured, " + drift + ".");
  body += html(births(run.recording));
  body += failed.rows.empty() ? paragraph("No individual failed.") : html(failed);
  if (!run.sessions.empty()) body += html(sessions(run.sessions));
  body += left_out(run);
  return {"Summary", body};
}

}  // namespace paraiso::tune
