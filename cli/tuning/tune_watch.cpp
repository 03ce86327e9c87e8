#include "cli/tuning/tune_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/call/session.hpp"
#include "paraiso/base/clock.hpp"

namespace paraiso::cli {

TuneWatch::TuneWatch(std::int64_t budget, double minutes, std::string start_name)
    : started_(steady_seconds()), terminal_(isatty(STDERR_FILENO) != 0) {
  progress_.budget = budget;
  progress_.seconds_allowed = 60 * minutes;
  progress_.start_name = std::move(start_name);
}

TuneWatch::~TuneWatch() { end_line(); }

bool TuneWatch::time_is_over() const {
  return progress_.seconds_allowed > 0 && steady_seconds() > started_ + progress_.seconds_allowed;
}

void TuneWatch::tell(const tune::TunerEvent& event, std::optional<double> start) {
  ++progress_.measured;
  progress_.seconds = steady_seconds() - started_;
  ++progress_.births[event.birth.method];
  if (!event.measurement.ok()) {
    const std::string kind = tune::reason_class(event.measurement.reason);
    ++progress_.failures[kind];
    sources_[kind] = event.measurement.sources;
  }
  const tune::History& history = event.history;
  progress_.start = start.value_or(0);
  const auto best = history.best();
  const bool better = best && history.score(*best) > progress_.best;
  if (better) progress_.best = history.score(*best);
  if (terminal_ || better) show();
}

void TuneWatch::finish(const std::string& why) {
  end_line();
  say_aside(fmt::format("the search ended: {}\n", why));
  tell_failures();
}

void TuneWatch::tell_failures() const {
  for (const auto& [kind, count] : progress_.failures) {
    const std::string& sources = sources_.at(kind);
    say_aside(fmt::format(
        "failed: {} {}{}\n", count, kind,
        sources.empty() ? "" : fmt::format("; the sources of the last one are in `{}`", sources)));
  }
}

void TuneWatch::show() {
  shown_ = true;
  say_aside(fmt::format("{}{}{}", terminal_ ? "\r\033[K" : "", tune::progress_line(progress_),
                        terminal_ ? "" : "\n"));
}

void TuneWatch::end_line() {
  if (shown_ && terminal_) say_aside("\n");
  shown_ = false;
}

}  // namespace paraiso::cli
