// NanWatch: looks for NaN from time to time, and finds the exact step that produced one.
// Gives: NanWatch. Needs: state, memory, Stepper.
#pragma once

#include <string>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/run/stepper.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {

/// Invariant: if `keeps_`, the instance keeps the state after step `sound_step_`, which had no NaN.
class NanWatch {
 public:
  /// Repeats steps one by one with `stepper`, which is of the same instance. Keeps a state (of
  /// `state_bytes`) if `available` suffices for it.
  NanWatch(Instance& instance, Stepper& stepper, const MemoryLimit& available = available_memory());

  /// Throws Error if there is a NaN: field and cell, or scalar, and the step that produced it,
  /// found by repeating the steps since the kept state; else keeps the present state. If no state
  /// was kept, or repeating produces no NaN, the error says between which steps it came. `hint` is
  /// appended, unless empty.
  void look(std::int64_t step, const std::string& hint);

 private:
  void keep(std::int64_t step);
  [[nodiscard]] std::string describe(const NanPlace& place) const;
  [[nodiscard]] Error error(const NanPlace& place, std::int64_t step);
  /// The first NaN after the kept state, up to `step`: the instance is left at its step.
  struct FirstNan {
    NanPlace place;
    std::int64_t step;
  };
  [[nodiscard]] std::optional<FirstNan> replay(std::int64_t step);

  Instance& instance_;
  Stepper& stepper_;
  std::vector<om::StaticId> scalars_;
  bool keeps_;
  std::int64_t sound_step_ = -1;  // -1: none yet
};

}  // namespace paraiso::runtime
