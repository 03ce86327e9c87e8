// HLLC: the approximate Riemann solver of Toro, Spruce and Speares (1994) that keeps contact
// discontinuities and shear waves, in a form of few operations.
// Gives: hllc_waves, hllc_state, hllc. Needs: wave_speeds.
//
// Between the outer waves of speeds s_left < s_right, a contact of speed s_star separates two
// states. Their flux has the form of the Euler flux, with s_star as the velocity and one pressure
// for both (Toro (2009), section 10.4), so the state on the face is chosen first and only one flux
// is computed from it. The wave speeds satisfy s_left < s_star < s_right and the condition of
// Batten et al. (1997), hence density and internal energy between the waves are positive if both
// sides' are.
//
// Exact in IEEE arithmetic: equal sides give that state's flux; a lone contact keeps its velocity
// and pressure; exchanging the sides and reversing the axis gives the mirror image, except for the
// signs of zeros.
#pragma once

#include "numerics/wave_speeds.hpp"

namespace paraiso::numerics {

/// The speeds of the outer waves, and the quantities between them as fractions of one denominator:
/// the contact's speed is mean_speed + thrust / mass, the pressure mean_pressure + resistance /
/// mass.
template <class T>
struct HllcWaves {
  T left, right;
  T mass;  // entering both waves, per area and time; positive
  T mean_speed, thrust;
  T mean_pressure, resistance;
};

/// `left` and `right` are the states on the lower and the upper side of a face with normal `axis`.
template <class T, int D, class Gas>
[[nodiscard]] HllcWaves<T> hllc_waves(const Primitive<T, D>& left, const Primitive<T, D>& right,
                                      Axis<D> axis, const Gas& gas) {
  const number_type<T> half(0.5);
  const T u_left = left.velocity[axis], u_right = right.velocity[axis];
  const auto [s_left, s_right] = outer_waves(left, right, axis, gas);
  // Toro (2009), eq. 10.37 and 10.36, written about the means of both sides
  const T mass_left = left.density * (u_left - s_left);
  const T mass_right = right.density * (s_right - u_right);
  const T imbalance = half * (mass_right - mass_left);
  const T u_jump = u_right - u_left, pressure_drop = left.pressure - right.pressure;
  return {s_left,
          s_right,
          mass_left + mass_right,
          half * (u_left + u_right),
          imbalance * u_jump + pressure_drop,
          half * (left.pressure + right.pressure),
          imbalance * pressure_drop - mass_left * mass_right * u_jump};
}

/// The state on a face. Pressure and energy follow from the jump conditions, so no equation of
/// state relates them.
template <class T, int D>
struct HllcState {
  Primitive<T, D> state;
  T energy;
};

template <class T, int D, class Gas>
[[nodiscard]] HllcState<T, D> hllc_state(const Primitive<T, D>& left, const Primitive<T, D>& right,
                                         Axis<D> axis, const Gas& gas) {
  const HllcWaves<T> waves = hllc_waves(left, right, axis, gas);
  const auto leftward = waves.mean_speed * waves.mass + waves.thrust < 0;
  const Primitive<T, D> upwind = select(leftward, right, left);
  const T wave = select(leftward, waves.right, waves.left);
  // One reciprocal serves 1 / mass and 1 / (wave - star), where star = mean_speed + thrust / mass.
  const T distance = (wave - waves.mean_speed) * waves.mass - waves.thrust;
  const T inverse = 1 / (waves.mass * distance);
  const T share = inverse * distance;
  const T spread = inverse * waves.mass * waves.mass;
  const auto supersonic = waves.left >= 0 || waves.right <= 0;
  const T normal =
      select(supersonic, upwind.velocity[axis], T(waves.mean_speed + waves.thrust * share));
  const T pressure =
      select(supersonic, upwind.pressure, T(waves.mean_pressure + waves.resistance * share));
  // Toro (2009), eq. 10.39: gas that enters the wave is compressed by (wave - upwind) / (wave -
  // normal)
  const T compression = 1 + (normal - upwind.velocity[axis]) * spread;
  const T work = pressure * normal - upwind.pressure * upwind.velocity[axis];
  const T energy = total_energy(upwind, gas) * compression + work * spread;
  Primitive<T, D> face{upwind.density * compression, upwind.velocity, pressure};
  face.velocity[axis] = normal;
  return {face, energy};
}

/// The flux through a face with normal `axis`, per area and time, between the states on its lower
/// and its upper side; densities and pressures must be positive.
inline constexpr auto hllc = []<class T, int D, class Gas>(
                                 const Primitive<T, D>& left, const Primitive<T, D>& right,
                                 Axis<D> axis, const Gas& gas) -> Conserved<T, D> {
  Scope scope("hllc");
  const HllcState<T, D> face = hllc_state(left, right, axis, gas);
  return flux(face.state, face.energy, axis);
};

}  // namespace paraiso::numerics
