// Clock: time, time step and time limit of a machine, and the step that they allow.
// Gives: Clock. Needs: statics, grid.
//
//   om.step("proceed", [&] {
//     auto dt = clock.advance();      // stores the new time
//     ...
//     clock.set_step(next_dt);        // for the step after this one
//   });
#pragma once

#include "paraiso/frontend/grid.hpp"

namespace paraiso {

/// The Globals `time`, `time_step` and `time_limit`.
template <class T, int D>
class Clock {
 public:
  explicit Clock(Builder<D>& om, Here here = {})
      : time_(om, "time", here),
        time_step_(om, "time_step", here),
        time_limit_(om, "time_limit", here) {}

  /// In an initial kernel: the time is 0 and the first step is `dt`.
  void start(const Global<T, D>& dt, Here here = {}) const {
    store(time_, {T{0}, here});
    set_step(dt, here);
  }
  /// In the step kernel: this step's dt, cut so that the new time is at most the time limit, and
  /// exactly the limit if cut. Stores the new time.
  Global<T, D> advance(Here here = {}) const {
    const auto now = load(time_, here), dt = load(time_step_, here),
               limit = load(time_limit_, here);
    const auto remaining = detail::located(limit, here.location) - now;
    const auto cut = detail::located(remaining, here.location) < dt;
    store(time_, {select(cut, limit, detail::located(now, here.location) + dt, here), here});
    return select(cut, remaining, dt, here);
  }
  /// The step that the next `advance` begins with.
  void set_step(const Global<T, D>& dt, Here here = {}) const { store(time_step_, {dt, here}); }

  [[nodiscard]] Global<T, D> time(Here here = {}) const { return load(time_, here); }
  [[nodiscard]] Global<T, D> time_step(Here here = {}) const { return load(time_step_, here); }

 private:
  Time<T, D> time_;
  TimeStep<T, D> time_step_;
  TimeLimit<T, D> time_limit_;
};

}  // namespace paraiso
