#include "paraiso/runtime/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace paraiso::runtime {

std::string speed_text(double cells_per_second) {
  const char* units[] = {"", " k", " M", " G", " T"};
  int unit = 0;
  while (cells_per_second >= 999.5 && unit < 4) {
    cells_per_second /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g}{} cells/s", cells_per_second, units[unit]);
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 48 * 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} days {} h", whole / 86400, whole / 3600 % 24);
}

std::string progress_line(const ProgressState& state) {
  auto line = fmt::format("step {}", state.step);
  if (state.time) line += fmt::format(" | time {:.6g}", *state.time);
  if (state.time_step) line += fmt::format(" | dt {:.3g}", *state.time_step);
  line += " | " + speed_text(state.cell_updates_per_second);
  if (state.remaining_seconds) line += " | " + duration_text(*state.remaining_seconds) + " left";
  return line;
}

Progress::Progress(bool enabled) : enabled_(enabled), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { finish(); }

void Progress::show(const ProgressState& state) {
  if (!enabled_) return;
  const auto line = progress_line(state);
  // On a terminal: back to the line's beginning, the text, and clear what is left of the old one.
  std::fprintf(stderr, terminal_ ? "\r%s\x1b[K" : "%s\n", line.c_str());
  std::fflush(stderr);
  open_ = terminal_;
}

void Progress::say(const std::string& text) {
  if (!enabled_) return;
  std::fprintf(stderr, open_ ? "\r%s\x1b[K\n" : "%s\n", text.c_str());
  std::fflush(stderr);
  open_ = false;
}

void Progress::finish() {
  if (open_) std::fputc('\n', stderr);
  open_ = false;
}

}  // namespace paraiso::runtime
