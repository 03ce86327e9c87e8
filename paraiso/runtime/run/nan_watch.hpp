// NanWatch: looks for NaN now and then, and finds the very step that made one.
// Gives: NanWatch. Needs: state, memory, Stepper.
#pragma once

#include <string>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/run/stepper.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {

/// Invariant: where `keeps_`, `kept_` is the state after step `sound_step_`; there was no NaN then.
class NanWatch {
 public:
  /// Runs again by single steps of `stepper`, which is of the same instance. Keeps a state (of
  /// `state_bytes`) where `available` suffices for it.
  NanWatch(Instance& instance, Stepper& stepper, const MemoryLimit& available = available_memory());

  /// Throws Error where there is a NaN: field and cell, or scalar, and the step that made it, found
  /// by running again from the kept state; else keeps the present state. Where there is none to
  /// keep, or running again makes no NaN, the error says between which steps it came. `hint` goes
  /// below, unless empty.
  void look(std::int64_t step, const std::string& hint);

 private:
  void keep(std::int64_t step);
  [[nodiscard]] Error error(const NanPlace& place, std::int64_t step);
  /// The first NaN after the kept state, up to `step`: the instance is left at its step.
  struct Found {
    NanPlace place;
    std::int64_t step;
  };
  [[nodiscard]] std::optional<Found> replay(std::int64_t step);

  Instance& instance_;
  Stepper& stepper_;
  std::vector<om::StaticId> scalars_;
  bool keeps_;
  std::int64_t sound_step_ = -1;  // -1: none yet
  SavedState kept_;
};

}  // namespace paraiso::runtime
