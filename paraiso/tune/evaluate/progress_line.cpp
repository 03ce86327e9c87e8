#include "paraiso/tune/evaluate/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "paraiso/runtime/run/progress.hpp"

namespace paraiso::tune {

namespace {

/// " 3 mutation, 2 crossover"
std::string list(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [what, count] : counts)
    text += fmt::format("{} {} {}", text.empty() ? "" : ",", count, what);
  return text;
}

std::string time_left(const TuningProgress& progress) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  double left = kUnknown;
  if (progress.seconds_allowed > 0) left = progress.seconds_allowed - progress.seconds;
  if (progress.budget > 0 && progress.measured > 0)
    left = std::min(left, progress.seconds / static_cast<double>(progress.measured) *
                              static_cast<double>(progress.budget - progress.measured));
  if (left == kUnknown) return "";
  return fmt::format(" | {} left", runtime::duration_text(std::max(0.0, left)));
}

}  // namespace

std::string progress_line(const TuningProgress& progress) {
  std::string text = std::to_string(progress.measured);
  if (progress.budget > 0) text += fmt::format(" of {}", progress.budget);
  text += " individuals" + time_left(progress);
  if (progress.best > 0) text += " | best " + runtime::speed_text(progress.best);
  if (progress.best > 0 && progress.start > 0)
    text += fmt::format(", {:.3f} times {}", progress.best / progress.start, progress.start_name);
  if (!progress.births.empty()) text += " | born:" + list(progress.births);
  if (!progress.failures.empty()) text += " | failed:" + list(progress.failures);
  return text;
}

}  // namespace paraiso::tune
