// NanWatch: looks for NaN now and then, and finds the very step that made one.
// Gives: NanWatch. Needs: state, memory, Stepper.
#pragma once

#include <string>

#include "paraiso/runtime/state.hpp"
#include "paraiso/runtime/stepper.hpp"

namespace paraiso::runtime {

/// Invariant: `kept_` is the state after step `sound_step_`, in which there was no NaN (or empty,
/// where memory did not suffice for it).
class NanWatch {
 public:
  /// Runs again by single steps of `stepper`, which is of the same instance.
  NanWatch(Instance& instance, Stepper& stepper);

  /// Throws Error where there is a NaN: field, cell and step, found by running again from the kept
  /// state; else keeps the present state. `hint` goes below the error, unless empty.
  void look(std::int64_t step, const std::string& hint);

 private:
  /// The first step after the kept one that has a NaN, at most `step`; the instance is left there.
  [[nodiscard]] std::int64_t replay(std::int64_t step);

  Instance& instance_;
  Stepper& stepper_;
  bool keeps_;
  std::int64_t sound_step_ = -1;  // -1: none yet
  SavedState kept_;
};

}  // namespace paraiso::runtime
