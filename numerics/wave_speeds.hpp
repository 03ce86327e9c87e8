// Wave speeds: bounds of what leaves a face to both sides, for the approximate Riemann solvers.
// Gives: OuterWaves, larger_sound_speed, outer_waves. Needs: euler.
#pragma once

#include "numerics/euler.hpp"

namespace paraiso::numerics {

/// The larger of both sides' sound speeds, with one square root and one division.
template <class T, int D, class Gas>
[[nodiscard]] T larger_sound_speed(const Primitive<T, D>& left, const Primitive<T, D>& right,
                                   const Gas& gas) {
  // the larger of p / rho, brought to one denominator
  const T ratio = max(left.pressure * right.density, right.pressure * left.density);
  return sqrt(gas.bulk_modulus(ratio) / (left.density * right.density));
}

/// The speeds of the outermost waves: beyond them the states are those of the two sides.
template <class T>
struct OuterWaves {
  T left, right;  // left < right
};

/// The bounds of Davis (1988), with the larger of the two sound speeds, as in RAMSES (Teyssier
/// 2002): Toro (2009), section 10.5.1.
template <class T, int D, class Gas>
[[nodiscard]] OuterWaves<T> outer_waves(const Primitive<T, D>& left, const Primitive<T, D>& right,
                                        Axis<D> axis, const Gas& gas) {
  const T u_left = left.velocity[axis], u_right = right.velocity[axis];
  const T sound_speed = larger_sound_speed(left, right, gas);
  return {min(u_left, u_right) - sound_speed, max(u_left, u_right) + sound_speed};
}

}  // namespace paraiso::numerics
