// Random gas states for property tests.
// Gives: random_state. Needs: euler, Rng.
#pragma once

#include <cmath>

#include "numerics/euler.hpp"
#include "paraiso/base/rng.hpp"

namespace paraiso::numerics {

/// Density within 10^-2 ... 10^2, pressure within 10^-3 ... 10^3, velocities to both sides,
/// subsonic and supersonic, one in eight zero.
template <class T, int D>
Primitive<T, D> random_state(Rng& rng) {
  const auto power = [&](double decades) {
    return static_cast<T>(std::pow(10.0, decades * (2 * rng.unit() - 1)));
  };
  const T density = power(2);
  const auto velocity = make_vec<D>([&](Axis<D>) {
    const T size = power(1.5) * static_cast<T>(rng.chance(0.5) ? 1 : -1);
    return rng.chance(0.125) ? T{0} : size;
  });
  return {density, velocity, power(3)};
}

}  // namespace paraiso::numerics
