// The equations of ideal magnetohydrodynamics: their variables, flux and fastest waves, with a
// field that carries away what divergence the magnetic field has.
// Gives: mhd::MhdPrimitive, MhdConserved, primitive, conserved, fast_speed, flux, crossing_time,
// glm_flux, hll. Needs: record, two_waves.
//
// Velocity and magnetic field have three components in any dimension of space. Units are such that
// the magnetic pressure is B^2 / 2. Dedner et al. (2002), "GLM": div B moves with the speed
// `cleaning_speed` and decays, so that momentum and energy stay conserved.
#pragma once

#include "numerics/two_waves.hpp"
#include "paraiso/frontend/functions.hpp"
#include "paraiso/frontend/record.hpp"

namespace paraiso::numerics::mhd {

template <class T>
struct MhdPrimitive {
  T density;
  Vec<T, 3> velocity;
  T pressure;
  Vec<T, 3> field;
  T cleaning;  // a potential: magnetic field times velocity
  static constexpr std::array components{"density", "velocity", "pressure", "field", "cleaning"};
};

/// The conserved variables per volume; also their fluxes per area and time, and their changes.
template <class T>
struct MhdConserved {
  T density;
  Vec<T, 3> momentum;
  T energy;  // internal, kinetic and magnetic
  Vec<T, 3> field;
  T cleaning;
  static constexpr std::array components{"density", "momentum", "energy", "field", "cleaning"};
};

template <class T, class G>
[[nodiscard]] MhdPrimitive<T> primitive(const MhdConserved<T>& u, const G& gamma) {
  const number_type<T> half(0.5);
  const Vec<T, 3> velocity = (1 / u.density) * u.momentum;
  const T other = half * (dot(u.momentum, velocity) + dot(u.field, u.field));
  return {u.density, velocity, (gamma - 1) * (u.energy - other), u.field, u.cleaning};
}

template <class T, class G>
[[nodiscard]] MhdConserved<T> conserved(const MhdPrimitive<T>& w, const G& gamma) {
  const number_type<T> half(0.5);
  const T energy = 1 / (gamma - 1) * w.pressure +
                   half * (w.density * dot(w.velocity, w.velocity) + dot(w.field, w.field));
  return {w.density, w.density * w.velocity, energy, w.field, w.cleaning};
}

/// The speed of fast magnetosonic waves along `axis`.
template <class T, class G>
[[nodiscard]] T fast_speed(const MhdPrimitive<T>& w, Axis<3> axis, const G& gamma) {
  const T inverse = 1 / w.density, normal = w.field[axis];
  const T sound = gamma * w.pressure * inverse;           // squared,
  const T all = sound + dot(w.field, w.field) * inverse;  // with Alfven's
  const T root = sqrt(max(all * all - 4 * sound * (normal * normal * inverse), 0));
  return sqrt(number_type<T>(0.5) * (all + root));
}

/// The flux through a face whose normal is `axis`, but for the normal field and `cleaning`, whose
/// flux is 0 here: `glm_flux` has it.
template <class T>
[[nodiscard]] MhdConserved<T> flux(const MhdPrimitive<T>& w, const T& energy, Axis<3> axis) {
  const number_type<T> half(0.5);
  const T normal = w.velocity[axis], field = w.field[axis];
  const T pressure = w.pressure + half * dot(w.field, w.field);
  Vec<T, 3> momentum = (w.density * normal) * w.velocity - field * w.field;
  momentum[axis] = momentum[axis] + pressure;
  Vec<T, 3> induction = normal * w.field - field * w.velocity;
  induction[axis] = T(0);
  const T work = (energy + pressure) * normal - field * dot(w.velocity, w.field);
  return {w.density * normal, momentum, work, induction, T(0)};
}

/// The flux between the states on both sides of a face, which agree on the normal field: that of
/// Harten, Lax and van Leer (1983) with the speeds of Davis (1988); Toro (2009), section 10.3.
template <class T, class G>
[[nodiscard]] MhdConserved<T> hll(const MhdPrimitive<T>& left, const MhdPrimitive<T>& right,
                                  Axis<3> axis, const G& gamma) {
  Scope scope("hll");
  const T u_left = left.velocity[axis], u_right = right.velocity[axis];
  const T fast = max(fast_speed(left, axis, gamma), fast_speed(right, axis, gamma));
  const T s_left = min(min(u_left, u_right) - fast, 0);
  const T s_right = max(max(u_left, u_right) + fast, 0);
  const TwoWaves<T> between(s_left, s_right);
  const MhdConserved<T> from = conserved(left, gamma), to = conserved(right, gamma);
  return between.flux(flux(left, from.energy, axis), flux(right, to.energy, axis), from, to);
}

/// The flux through a face of all variables. The normal field and `cleaning`, whose waves move with
/// plus and minus `cleaning_speed`, are solved exactly first: Dedner et al. (2002), eq. 42.
template <class T, class G>
[[nodiscard]] MhdConserved<T> glm_flux(MhdPrimitive<T> left, MhdPrimitive<T> right, Axis<3> axis,
                                       const G& cleaning_speed, const G& gamma) {
  Scope scope("glm");
  const number_type<T> half(0.5);
  const T rise = half * (right.field[axis] - left.field[axis]);
  const T turn = half * (right.cleaning - left.cleaning);
  const T normal = half * (left.field[axis] + right.field[axis]) - turn / cleaning_speed;
  const T cleaning = half * (left.cleaning + right.cleaning) - cleaning_speed * rise;
  left.field[axis] = normal;
  right.field[axis] = normal;
  left.cleaning = cleaning;
  right.cleaning = cleaning;
  MhdConserved<T> through = hll(left, right, axis, gamma);
  through.field[axis] = cleaning;
  through.cleaning = cleaning_speed * cleaning_speed * normal;
  return through;
}

/// The time in which the fastest waves cross a cell, 1 / sum_a ((|v_a| + c_a) / width_a).
template <class T, int D, class W, class G>
[[nodiscard]] T crossing_time(const MhdConserved<T>& state, const Vec<W, D>& inverse_width,
                              const G& gamma) {
  Scope scope("crossing_time");
  const MhdPrimitive<T> w = primitive(state, gamma);
  return 1 / sum<D>([&](Axis<D> a) -> T {
           const Axis<3> axis(a.index());
           return (abs(w.velocity[axis]) + fast_speed(w, axis, gamma)) * inverse_width[a];
         });
}

}  // namespace paraiso::numerics::mhd
