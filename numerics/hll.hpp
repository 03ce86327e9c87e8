// HLL: the approximate Riemann solver of Harten, Lax and van Leer (1983), one state between two
// waves. Gives: hll. Needs: wave_speeds, two_waves.
//
// Robust and free of carbuncles; contacts and shear waves spread, because the one state between the
// waves does not resolve them. Density and internal energy of the state between the waves are
// positive if both sides' are: Einfeldt et al. (1991).
//
// Exact in IEEE arithmetic: equal sides give that state's flux; exchanging the sides and reversing
// the axis gives the mirror image, except for the signs of zeros.
#pragma once

#include "numerics/two_waves.hpp"
#include "numerics/wave_speeds.hpp"

namespace paraiso::numerics {

/// The flux through a face with normal `axis`, per area and time, between the states on its lower
/// and its upper side; densities and pressures must be positive. If no wave moves to a side, its
/// speed is 0, which leaves the flux of the state on that side.
inline constexpr auto hll = []<class T, int D, class Gas>(
                                const Primitive<T, D>& left, const Primitive<T, D>& right,
                                Axis<D> axis, const Gas& gas) -> Conserved<T, D> {
  Scope scope("hll");
  const OuterWaves<T> waves = outer_waves(left, right, axis, gas);
  const T s_left = min(waves.left, 0), s_right = max(waves.right, 0);
  const TwoWaves<T> between(s_left, s_right);
  const Conserved<T, D> u_left = conserved(left, gas), u_right = conserved(right, gas);
  return between.flux(flux(left, u_left.energy, axis), flux(right, u_right.energy, axis), u_left,
                      u_right);
};

}  // namespace paraiso::numerics
