#include "paraiso/runtime/nan_watch.hpp"

#include <fmt/format.h>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/memory.hpp"

namespace paraiso::runtime {
namespace {

std::string describe(const NanPlace& place) {
  if (place.cell.empty()) return fmt::format("NaN in scalar `{}`", place.name);
  return fmt::format("NaN in field `{}` at cell ({})", place.name, fmt::join(place.cell, ", "));
}

}  // namespace

NanWatch::NanWatch(Instance& instance, Stepper& stepper)
    : instance_(instance),
      stepper_(stepper),
      keeps_(state_bytes(instance.machine(), instance.size()) < available_memory().bytes / 2) {}

void NanWatch::look(std::int64_t step, const std::string& hint) {
  auto place = find_nan(instance_);
  if (!place) {
    sound_step_ = step;
    if (keeps_) save(instance_, kept_);
    return;
  }
  std::string when = fmt::format("at step {}, before any other", step);
  if (sound_step_ >= 0) {
    // Where something else than the step kernel made it, running again does not show it.
    const auto first = keeps_ ? replay(step) : step;
    if (auto found = find_nan(instance_)) place = found;
    const auto sound = keeps_ ? first - 1 : sound_step_;
    when = fmt::format("after step {}; step {} was still sound", first, sound);
  }
  Error error(describe(*place) + " " + when);
  throw hint.empty() ? error : error.with_hint(hint);
}

std::int64_t NanWatch::replay(std::int64_t step) {
  restore(instance_, kept_);
  for (auto now = sound_step_ + 1; now < step; ++now) {
    stepper_.take_one(now - 1);
    if (find_nan(instance_)) return now;
  }
  return step;
}

}  // namespace paraiso::runtime
