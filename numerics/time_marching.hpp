// Time marching: one step of d(state)/dt = rate, for any record of variables and any rate.
// Gives: add, two_stage. Needs: annotate.
//
// A scheme is given `change(state, dt, stage)`, the rate at `state` times `dt`, so that the time
// step enters where it costs least, for instance once with the mesh width. `stage` is the name of
// that state, for the names of what is computed from it.
#pragma once

#include "paraiso/frontend/annotate.hpp"

namespace paraiso::numerics {

/// The sum of two records, or of single values.
template <class R>
[[nodiscard]] R add(const R& a, const R& b) {
  return zip([](const auto& x, const auto& y) { return x + y; }, a, b);
}

/// Second order in two stages, the midpoint rule: half a step, then a whole step at the rate found
/// there. Runge (1895); eq. 24 to 27 of Muranushi (2012). The stages are `start` and `half`.
template <class R, class Time, class Change>
[[nodiscard]] R two_stage(const R& state, const Time& dt, const Change& change) {
  const R half = scoped("start", [&] {
    return named("half", add(state, change(state, Time(dt / 2), std::string("start"))));
  });
  return scoped("half", [&] { return add(state, change(half, dt, std::string("half"))); });
}

}  // namespace paraiso::numerics
