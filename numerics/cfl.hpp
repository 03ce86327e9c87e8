// The condition of Courant, Friedrichs and Lewy: the longest stable time step.
// Gives: crossing_time. Needs: euler.
#pragma once

#include "numerics/euler.hpp"

namespace paraiso::numerics {

/// The time in which the fastest waves cross a cell, 1 / sum_a ((|v_a| + c) / width_a): an unsplit
/// scheme is stable for time steps up to a fraction of it that does not depend on the dimension.
/// Takes conserved variables and needs one division and one square root: rho p and rho^2 c^2 need
/// no velocity. The equation of state must give a pressure proportional to the internal energy. NaN
/// where the internal energy is negative.
template <class T, int D, class W, class Gas>
[[nodiscard]] T crossing_time(const Conserved<T, D>& state, const Vec<W, D>& inverse_width,
                              const Gas& gas) {
  Scope scope("crossing_time");
  const T density_pressure = gas.pressure(
      T(state.density * state.energy - number_type<T>(0.5) * dot(state.momentum, state.momentum)));
  const T impedance = sqrt(gas.bulk_modulus(density_pressure));
  const T drift = sum<D>([&](Axis<D> a) -> T { return abs(state.momentum[a]) * inverse_width[a]; });
  const W widths = sum<D>([&](Axis<D> a) -> W { return inverse_width[a]; });
  return state.density / (drift + impedance * widths);
}

}  // namespace paraiso::numerics
