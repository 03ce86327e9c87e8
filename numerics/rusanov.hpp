// Rusanov's flux (1961), also called local Lax-Friedrichs: the mean of both sides' fluxes, with the
// diffusion that the fastest wave needs.
// Gives: rusanov. Needs: wave_speeds.
//
// The simplest and the most diffusive of the approximate Riemann solvers: HLL with waves of one
// speed to both sides. Keeps density and internal energy positive: Perthame and Shu (1996).
//
// Exact in IEEE arithmetic: equal sides give that state's flux; exchanging the sides and reversing
// the axis gives the mirror image, except for the signs of zeros.
#pragma once

#include "numerics/wave_speeds.hpp"

namespace paraiso::numerics {

/// The flux through a face with normal `axis`, per area and time, between the states on its lower
/// and its upper side; densities and pressures must be positive. Toro (2009), section 10.5.1,
///   (F_left + F_right) / 2 - s (U_right - U_left) / 2,   s = max |u| + c,
/// each with its larger value of both sides.
inline constexpr auto rusanov = []<class T, int D, class Gas>(
                                    const Primitive<T, D>& left, const Primitive<T, D>& right,
                                    Axis<D> axis, const Gas& gas) -> Conserved<T, D> {
  Scope scope("rusanov");
  const number_type<T> half(0.5);
  const T fastest = max(abs(left.velocity[axis]), abs(right.velocity[axis])) +
                    larger_sound_speed(left, right, gas);
  const T spread = half * fastest;
  const Conserved<T, D> u_left = conserved(left, gas), u_right = conserved(right, gas);
  return zip([&](const T& f_left, const T& f_right, const T& u_l,
                 const T& u_r) -> T { return half * (f_left + f_right) - spread * (u_r - u_l); },
             flux(left, u_left.energy, axis), flux(right, u_right.energy, axis), u_left, u_right);
};

}  // namespace paraiso::numerics
