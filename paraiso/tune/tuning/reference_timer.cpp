#include "paraiso/tune/tuning/reference_timer.hpp"

#include <fmt/format.h>

#include "paraiso/base/clock.hpp"
#include "paraiso/tune/contest/rating.hpp"

namespace paraiso::tune {

namespace {

// A machine that others use changes within minutes; a timing takes two seconds.
constexpr int kStride = 50;

}  // namespace

void ReferenceTimer::take() {
  const Measurement measured = run_.evaluator.time(run_.tuned.default_genome);
  if (!measured.ok()) {
    run_.say(fmt::format("note: the default schedule failed meanwhile: {}", measured.reason));
    return;
  }
  taken_.push_back({measured.score, measured.deviation, now()});
  run_.database.record(run_.problem, taken_.back());
}

void ReferenceTimer::count() {
  if (++individuals_ % kStride == 0) take();
}

void ReferenceTimer::tell() const {
  if (const std::string text = drift_text(taken_); !text.empty()) run_.say(text);
}

}  // namespace paraiso::tune
