// The Euler equations for the references: the same scheme as numerics/, as plain functions.
// Gives: Cell, Conserved, Gas, primitive, minmod_half, hllc, crossing_time. Needs: pair.
//
// T is a number, a vector, or a pair of vectors. Variables are density, D velocities or momenta,
// and pressure or energy, in this order.
#pragma once

#include <array>

#include "bench/reference/pair.hpp"

namespace reference {

template <class T, int D>
using Variables = std::array<T, D + 2>;

constexpr double kGamma = 5.0 / 3;

/// How a division is done: by the machine's divider, or by Newton's iteration beside it.
struct Divide {
  template <class T>
  [[gnu::always_inline]] static T inverse(const T& a) {
    return 1 / a;
  }
  template <class T>
  [[gnu::always_inline]] static T root_of_quotient(const T& a, const T& b) {
    return square_root(T(a / b));
  }
};
struct Iterate {
  template <class T>
  [[gnu::always_inline]] static T inverse(const T& a) {
    return reciprocal(a);
  }
  /// sqrt(a / b) = a / sqrt(a b): one iteration for both.
  template <class T>
  [[gnu::always_inline]] static T root_of_quotient(const T& a, const T& b) {
    return a * inverse_square_root(T(a * b));
  }
};

template <class How, int D, class T>
[[gnu::always_inline]] inline Variables<T, D> primitive(const Variables<T, D>& conserved) {
  using Real = Element<T>;
  const T volume = How::inverse(conserved[0]);
  Variables<T, D> cell;
  cell[0] = conserved[0];
  T twice_kinetic = conserved[0] - conserved[0];
  for (int a = 1; a <= D; ++a) {
    cell[a] = conserved[a] * volume;
    twice_kinetic += conserved[a] * cell[a];
  }
  cell[D + 1] = Real(kGamma - 1) * (conserved[D + 1] - Real(0.5) * twice_kinetic);
  return cell;
}

/// Half the smaller of two differences, 0 where their signs differ.
template <class T>
[[gnu::always_inline]] inline T minmod_half(const T& a, const T& b) {
  const T zero = a - a;
  return Element<T>(0.5) * max(min(a, zero), min(b, max(a, zero)));
}

template <int D, class T>
[[gnu::always_inline]] inline Variables<T, D> half_slope(const Variables<T, D>& below,
                                                         const Variables<T, D>& cell,
                                                         const Variables<T, D>& above) {
  Variables<T, D> slope;
  for (int v = 0; v < D + 2; ++v)
    slope[v] = minmod_half(T(cell[v] - below[v]), T(above[v] - cell[v]));
  return slope;
}

/// The flux between two states through a face whose normal is `axis`: numerics/hllc.hpp.
template <class How, int D, int axis, class T>
[[gnu::always_inline]] inline Variables<T, D> hllc(const Variables<T, D>& left,
                                                   const Variables<T, D>& right) {
  using Real = Element<T>;
  constexpr int n = axis + 1, p = D + 1;
  const Real half(0.5);
  const T zero = left[0] - left[0];
  const T ratio = max(T(left[p] * right[0]), T(right[p] * left[0]));
  const T sound = How::root_of_quotient(T(Real(kGamma) * ratio), T(left[0] * right[0]));
  const T s_left = min(left[n], right[n]) - sound;
  const T s_right = max(left[n], right[n]) + sound;
  const T mass_left = left[0] * (left[n] - s_left);
  const T mass_right = right[0] * (s_right - right[n]);
  const T share = How::inverse(T(mass_left + mass_right));
  const T imbalance = half * (mass_right - mass_left);
  const T jump = right[n] - left[n], drop = left[p] - right[p];
  const T star = half * (left[n] + right[n]) + (imbalance * jump + drop) * share;
  const T star_pressure =
      half * (left[p] + right[p]) + (imbalance * drop - mass_left * mass_right * jump) * share;

  const auto leftward = star < zero;
  Variables<T, D> upwind;
  for (int v = 0; v < D + 2; ++v) upwind[v] = select(leftward, right[v], left[v]);
  const T wave = select(leftward, s_right, s_left);
  const auto supersonic = (s_left >= zero) | (s_right <= zero);
  const T normal = select(supersonic, upwind[n], star);
  const T pressure = select(supersonic, upwind[p], star_pressure);
  const T spread = How::inverse(T(wave - normal));
  const T compression = 1 + (normal - upwind[n]) * spread;
  const T work = pressure * normal - upwind[p] * upwind[n];
  T speed_squared = upwind[1] * upwind[1];
  for (int a = 2; a <= D; ++a) speed_squared += upwind[a] * upwind[a];
  const T energy =
      (Real(1 / (kGamma - 1)) * upwind[p] + half * upwind[0] * speed_squared) * compression +
      work * spread;

  Variables<T, D> flux;
  flux[0] = upwind[0] * compression * normal;
  for (int a = 1; a <= D; ++a) flux[a] = flux[0] * (a == n ? normal : upwind[a]);
  flux[n] += pressure;
  flux[p] = normal * (energy + pressure);
  return flux;
}

/// The time in which the fastest waves cross a cell: numerics/cfl.hpp.
template <class How, int D, class T>
[[gnu::always_inline]] inline T crossing_time(const Variables<T, D>& state,
                                              const std::array<Element<T>, D>& inverse_width) {
  using Real = Element<T>;
  T momentum_squared = state[1] * state[1];
  T drift = absolute(state[1]) * inverse_width[0];
  Real widths = inverse_width[0];
  for (int a = 1; a < D; ++a) {
    momentum_squared += state[a + 1] * state[a + 1];
    drift += absolute(state[a + 1]) * inverse_width[a];
    widths += inverse_width[a];
  }
  const T density_pressure =
      Real(kGamma - 1) * (state[0] * state[D + 1] - Real(0.5) * momentum_squared);
  const T impedance = square_root(T(Real(kGamma) * density_pressure));
  return state[0] * How::inverse(T(drift + impedance * widths));
}

}  // namespace reference
