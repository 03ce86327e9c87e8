// Pairs of random gas states, their mirror images, and what a flux between them is measured by.
// Gives: kAxis, kGas, flux_of, scale_of, for_random_pairs, mirrored, transposed, widened.
// Needs: random_state.
#pragma once

#include "random_state.hpp"

namespace paraiso::numerics {

inline const Axis<3> kAxis(1);
inline const IdealGas<double> kGas{1.4};

template <class T, int D>
Conserved<T, D> flux_of(const Primitive<T, D>& state, Axis<D> axis, const IdealGas<T>& gas) {
  return flux(state, total_energy(state, gas), axis);
}

/// What a round-off error of a flux is relative to.
inline Conserved<double, 3> scale_of(const Primitive<double, 3>& l, const Primitive<double, 3>& r) {
  const auto one = [](const Primitive<double, 3>& s) {
    const double speed =
        std::sqrt(kGas.gamma * s.pressure / s.density) + std::sqrt(dot(s.velocity, s.velocity));
    return Vec<double, 2>{s.density, speed};
  };
  const auto a = one(l), b = one(r);
  const double density = a.components[0] + b.components[0];
  const double speed = a.components[1] + b.components[1];
  return {density * speed, uniform<3>(density * speed * speed), density * speed * speed * speed};
}

template <class F>
void for_random_pairs(F&& f) {
  Rng rng(4);
  for (int i = 0; i < 20000; ++i) {
    const auto left = random_state<double, 3>(rng);
    f(left, random_state<double, 3>(rng));
  }
}

/// Turned around along `kAxis`.
template <class T>
Primitive<T, 3> mirrored(Primitive<T, 3> state) {
  state.velocity[kAxis] = -state.velocity[kAxis];
  return state;
}

inline Primitive<double, 2> transposed(Primitive<double, 2> state) {
  std::swap(state.velocity[Axis<2>(0)], state.velocity[Axis<2>(1)]);
  return state;
}

inline Primitive<double, 3> widened(const Primitive<float, 3>& state) {
  return map([](float v) -> double { return v; }, state);
}

}  // namespace paraiso::numerics
