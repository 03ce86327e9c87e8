#include "paraiso/runtime/run/nan_watch.hpp"

#include <fmt/format.h>

#include <new>

namespace paraiso::runtime {

NanWatch::NanWatch(Instance& instance, Stepper& stepper, const MemoryLimit& available)
    : instance_(instance),
      stepper_(stepper),
      scalars_(state_scalars(instance.machine())),
      keeps_(state_bytes(instance.machine(), instance.size()) <= available.bytes) {}

std::string NanWatch::describe(const NanPlace& place) const {
  if (place.cell.empty()) return fmt::format("NaN in scalar `{}`", place.name);
  std::string text =
      fmt::format("NaN in field `{}` at cell ({})", place.name, fmt::join(place.cell, ", "));
  if (!place.rank) return text;
  const std::string process = instance_.process_of(*place.rank);
  return text + " on " + (process.empty() ? fmt::format("rank {}", *place.rank) : process);
}

void NanWatch::look(std::int64_t step, const std::string& hint) {
  const auto place = find_nan(instance_, scalars_);
  if (!place) return keep(step);
  const Error found = error(*place, step);
  if (!hint.empty()) throw found.with_hint(hint);
  // It says of no cell that its value was the first.
  throw place->cell.empty() && sound_step_ >= 0
      ? found.with_hint("look at the fields before, with --output and --steps")
      : found;
}

void NanWatch::keep(std::int64_t step) {
  sound_step_ = step;
  if (!keeps_) return;
  try {
    instance_.keep();
  } catch (const std::bad_alloc&) {  // less than was reported as available: the run matters more
    keeps_ = false;
  }
}

Error NanWatch::error(const NanPlace& place, std::int64_t step) {
  if (sound_step_ < 0)
    return Error(fmt::format("{} at step {}, before any other", describe(place), step));
  const auto found = keeps_ ? replay(step) : std::nullopt;
  if (found)
    return Error(fmt::format("{} after step {}; step {} was still sound", describe(found->place),
                             found->step, found->step - 1));
  return Error(fmt::format("{}, which came between step {} and step {}", describe(place),
                           sound_step_, step))
      .with_note({}, keeps_
                         ? "running these steps again gives no NaN: something between them did"
                         : "there was no memory to keep a sound state from which to find the step");
}

std::optional<NanWatch::FirstNan> NanWatch::replay(std::int64_t step) {
  instance_.go_back();
  for (auto now = sound_step_ + 1; now <= step; ++now) {
    stepper_.take_one(now - 1);
    if (auto place = find_nan(instance_, scalars_)) return FirstNan{*place, now};
  }
  return std::nullopt;
}

}  // namespace paraiso::runtime
