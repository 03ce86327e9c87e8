#include "cli/tune_reference.hpp"

#include <fmt/format.h>

#include "paraiso/base/clock.hpp"

namespace paraiso::cli {

namespace {

// A machine that others use changes within minutes; a timing takes two seconds.
constexpr int kStride = 50;

}  // namespace

void ReferenceTimer::take() {
  const tune::Measurement measured = evaluator_.time(tuning_.default_genome);
  if (!measured.ok()) {
    say_aside(fmt::format("note: the default schedule failed meanwhile: {}\n", measured.reason));
    return;
  }
  taken_.push_back({measured.score, measured.deviation, now()});
  database_.record(problem_, taken_.back());
}

void ReferenceTimer::count() {
  if (++individuals_ % kStride == 0) take();
}

void ReferenceTimer::tell() const {
  if (const std::string text = tune::drift_text(taken_); !text.empty()) say_aside(text + "\n");
}

}  // namespace paraiso::cli
