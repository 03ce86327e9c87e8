#include "cli/tune_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "cli/session.hpp"
#include "paraiso/runtime/progress.hpp"

namespace paraiso::cli {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// " 3 mutation, 2 crossover"
std::string list(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [what, count] : counts)
    text += fmt::format("{} {} {}", text.empty() ? "" : ",", count, what);
  return text;
}

}  // namespace

TuneWatch::TuneWatch(std::int64_t budget, double minutes, plan::Genome start)
    : budget_(budget),
      minutes_(minutes),
      started_(now()),
      start_(std::move(start)),
      terminal_(isatty(STDERR_FILENO) != 0) {}

TuneWatch::~TuneWatch() { end_line(); }

void TuneWatch::end_line() {
  if (shown_ && terminal_) say_aside("\n");
  shown_ = false;
}

void TuneWatch::tell_failures() {
  end_line();
  for (const auto& [kind, count] : failures_) {
    const std::string& sources = sources_[kind];
    say_aside(fmt::format(
        "failed: {} {}{}\n", count, kind,
        sources.empty() ? "" : fmt::format("; the sources of the last one are in `{}`", sources)));
  }
}

bool TuneWatch::time_is_over() const { return minutes_ > 0 && now() > started_ + 60 * minutes_; }

void TuneWatch::tell(const tune::TunerEvent& event) {
  ++measured_;
  ++births_[event.birth.method];
  if (!event.measurement.ok()) {
    const std::string kind = tune::reason_class(event.measurement.reason);
    ++failures_[kind];
    sources_[kind] = event.measurement.sources;
  }
  const auto best = event.history.best();
  const bool better = best && event.history.score(*best) > best_;
  if (better) best_ = event.history.score(*best);
  if (terminal_ || better) show(event.history);
}

std::string TuneWatch::counts() const {
  std::string text = std::to_string(measured_);
  if (budget_ > 0) text += fmt::format(" of {}", budget_);
  text += " individuals";
  if (minutes_ > 0)
    text += fmt::format(" | {} left",
                        runtime::duration_text(std::max(0.0, 60 * minutes_ - (now() - started_))));
  return text;
}

std::string TuneWatch::gain(const tune::History& history) const {
  const auto start = history.find(start_);
  if (!start || !history.ok(*start)) return "";
  return fmt::format(", {:.3f} times the default", best_ / history.score(*start));
}

void TuneWatch::show(const tune::History& history) {
  shown_ = true;
  say_aside(fmt::format("{}{} | best {}{} | born:{}{}{}", terminal_ ? "\r\033[K" : "", counts(),
                        runtime::speed_text(best_), gain(history), list(births_),
                        failures_.empty() ? "" : " | failed:" + list(failures_),
                        terminal_ ? "" : "\n"));
}

}  // namespace paraiso::cli
