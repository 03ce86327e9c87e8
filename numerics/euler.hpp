// The compressible Euler equations: their variables, equation of state and flux, in any dimension.
// Gives: Primitive, Conserved, IdealGas, primitive, conserved, total_energy, flux. Needs: record.
//
// T is the element of a record (a number or a value of a kernel), D the dimension of space. Any
// consistent units will do: pressure is density times velocity squared, energy is per volume.
#pragma once

#include "paraiso/frontend/functions.hpp"
#include "paraiso/frontend/record.hpp"

namespace paraiso::numerics {

template <class T, int D>
struct Primitive {
  T density;
  Vec<T, D> velocity;
  T pressure;
  static constexpr std::array components{"density", "velocity", "pressure"};
};

/// The conserved variables per volume; also their fluxes per area and time, and their changes.
template <class T, int D>
struct Conserved {
  T density;
  Vec<T, D> momentum;
  T energy;  // internal and kinetic
  static constexpr std::array components{"density", "momentum", "energy"};
};

/// The gamma-law equation of state: each of its functions is proportional to its argument, which
/// the solvers rely on. G is a number or a Global of the same element as the fields.
template <class G>
struct IdealGas {
  G gamma;  // ratio of specific heats, > 1

  template <class T>
  [[nodiscard]] T pressure(const T& internal_energy) const {
    return (gamma - 1) * internal_energy;
  }
  /// Per volume.
  template <class T>
  [[nodiscard]] T internal_energy(const T& pressure) const {
    return 1 / (gamma - 1) * pressure;
  }
  /// Density times sound speed squared.
  template <class T>
  [[nodiscard]] T bulk_modulus(const T& pressure) const {
    return gamma * pressure;
  }
};

template <class T, int D, class Gas>
[[nodiscard]] Primitive<T, D> primitive(const Conserved<T, D>& state, const Gas& gas) {
  const T specific_volume = 1 / state.density;
  const Vec<T, D> velocity = specific_volume * state.momentum;
  const T kinetic_energy = number_type<T>(0.5) * dot(state.momentum, velocity);
  return {state.density, velocity, gas.pressure(T(state.energy - kinetic_energy))};
}

/// Internal and kinetic energy per volume.
template <class T, int D, class Gas>
[[nodiscard]] T total_energy(const Primitive<T, D>& state, const Gas& gas) {
  const T speed_squared = dot(state.velocity, state.velocity);
  return gas.internal_energy(state.pressure) + number_type<T>(0.5) * state.density * speed_squared;
}

template <class T, int D, class Gas>
[[nodiscard]] Conserved<T, D> conserved(const Primitive<T, D>& state, const Gas& gas) {
  return {state.density, state.density * state.velocity, total_energy(state, gas)};
}

/// The flux through a face whose normal is `axis`, of a state whose total energy is known.
template <class T, int D>
[[nodiscard]] Conserved<T, D> flux(const Primitive<T, D>& state, const T& energy, Axis<D> axis) {
  const T normal = state.velocity[axis];
  const T mass = state.density * normal;
  Vec<T, D> momentum = mass * state.velocity;
  momentum[axis] = momentum[axis] + state.pressure;
  return {mass, momentum, normal * (energy + state.pressure)};
}

}  // namespace paraiso::numerics
