// The exact solution of the Riemann problem of the Euler equations for an ideal gas, after Toro
// (2009), chapter 4. For states that leave no vacuum between them. Gives: GasState, StarState,
// solve_riemann, sample_riemann. Needs: functions, record.
//
// The star state is found by a fixed number of Newton iterations and the sampling chooses by
// selects, so both work on plain numbers and on values of a kernel: star states as Globals,
// positions as Locals.
#pragma once

#include "paraiso/frontend/functions.hpp"
#include "paraiso/frontend/record.hpp"

namespace paraiso::numerics {

/// One side of the diaphragm, or the solution at one place; the velocity is along the tube.
template <class T>
struct GasState {
  T density, velocity, pressure;
  static constexpr std::array components{"density", "velocity", "pressure"};
};

/// The values that both sides of the contact share, between the two outer waves.
template <class T>
struct StarState {
  T velocity, pressure;
  static constexpr std::array components{"velocity", "pressure"};
};

namespace detail {

template <class T>
T sound_speed(const GasState<T>& gas, const T& gamma) {
  return sqrt(gamma * gas.pressure / gas.density);
}

/// The change of velocity across one outer wave up to `pressure`, and its derivative:
/// eq. 4.6, 4.37.
template <class T>
struct OuterWave {
  T velocity, slope;
};
template <class T>
OuterWave<T> wave(const GasState<T>& gas, const T& pressure, const T& gamma) {
  const T sound = sound_speed(gas, gamma);
  const T shock_base = pressure + (gamma - 1) / (gamma + 1) * gas.pressure;
  const T shock_factor = sqrt(2 / ((gamma + 1) * gas.density * shock_base));
  const T rise = pressure - gas.pressure;
  const T power = pow(pressure / gas.pressure, (gamma - 1) / (2 * gamma));
  const auto shock = rise > 0;
  return {select(shock, rise * shock_factor, 2 * sound / (gamma - 1) * (power - 1)),
          select(shock, shock_factor * (1 - rise / (2 * shock_base)),
                 power * gas.pressure / (pressure * gas.density * sound))};
}

template <class T>
GasState<T> mirrored(const GasState<T>& gas) {
  return {gas.density, -gas.velocity, gas.pressure};
}

/// The solution left of the contact, `distance` from the diaphragm after `time`: section 4.5.
template <class P, class T>
GasState<P> sample_left(const GasState<T>& left, const StarState<T>& star, const P& distance,
                        const T& time, const T& gamma) {
  const T sound = sound_speed(left, gamma), ratio = star.pressure / left.pressure;
  const T g6 = (gamma - 1) / (gamma + 1), power = pow(ratio, (gamma - 1) / (2 * gamma));
  const auto shock = ratio > 1;
  const T shock_speed =
      left.velocity - sound * sqrt(((gamma + 1) * ratio + (gamma - 1)) / (2 * gamma));
  const T head = select(shock, shock_speed, left.velocity - sound);
  const T tail = select(shock, shock_speed, star.velocity - sound * power);
  const T star_density =
      left.density * select(shock, (ratio + g6) / (g6 * ratio + 1), pow(ratio, 1 / gamma));

  const P speed = distance / time;  // read inside the fan only
  const P cooling = 2 / (gamma + 1) + g6 / sound * (left.velocity - speed);
  const GasState<P> fan{left.density * pow(cooling, 2 / (gamma - 1)),
                        2 / (gamma + 1) * (sound + (gamma - 1) / 2 * left.velocity + speed),
                        left.pressure * pow(cooling, 2 * gamma / (gamma - 1))};
  const GasState<P> before{left.density, left.velocity, left.pressure};
  const GasState<P> behind{star_density, star.velocity, star.pressure};
  return select(distance < head * time, before, select(distance < tail * time, fan, behind));
}

}  // namespace detail

/// The star state between `left` and `right`. Starts from the two-rarefaction value (eq. 4.46),
/// which is never below the solution; eight iterations reach rounding for pressure ratios up to
/// 1e6.
template <class T>
[[nodiscard]] StarState<T> solve_riemann(const GasState<T>& left, const GasState<T>& right,
                                         const T& gamma, int iterations = 8) {
  Scope scope("solve_riemann");
  const T exponent = (gamma - 1) / (2 * gamma);
  const T sound_left = detail::sound_speed(left, gamma),
          sound_right = detail::sound_speed(right, gamma);
  const T jump = right.velocity - left.velocity;
  T pressure = pow(
      (sound_left + sound_right - (gamma - 1) / 2 * jump) /
          (sound_left / pow(left.pressure, exponent) + sound_right / pow(right.pressure, exponent)),
      1 / exponent);
  for (int i = 0; i < iterations; ++i) {
    const auto a = detail::wave(left, pressure, gamma), b = detail::wave(right, pressure, gamma);
    const T next = pressure - (a.velocity + b.velocity + jump) / (a.slope + b.slope);
    pressure = max(next, number_type<T>(1e-3) * pressure);
  }
  const auto a = detail::wave(left, pressure, gamma), b = detail::wave(right, pressure, gamma);
  const T velocity =
      number_type<T>(0.5) * (left.velocity + right.velocity + b.velocity - a.velocity);
  return {velocity, pressure};
}

/// The solution at `distance` (an array or one number) from the diaphragm after `time` >= 0.
template <class P, class T>
[[nodiscard]] GasState<P> sample_riemann(const GasState<T>& left, const GasState<T>& right,
                                         const StarState<T>& star, const P& distance, const T& time,
                                         const T& gamma) {
  Scope scope("sample_riemann");
  const StarState<T> mirrored_star{-star.velocity, star.pressure};
  const GasState<P> on_left = detail::sample_left(left, star, distance, time, gamma);
  const GasState<P> on_right = detail::mirrored(
      detail::sample_left(detail::mirrored(right), mirrored_star, P(-distance), time, gamma));
  return select(distance < star.velocity * time, on_left, on_right);
}

}  // namespace paraiso::numerics
