// Riemann solvers: the table of those that a gas solver offers. To add one: its header and a row
// here. The row is tested like the others, and the solvers offer it.
// Gives: RiemannSolver, RiemannFunction, riemann_solvers. Needs: hllc, hll, rusanov, method.
#pragma once

#include <concepts>

#include "numerics/hll.hpp"
#include "numerics/hllc.hpp"
#include "numerics/method.hpp"
#include "numerics/rusanov.hpp"

namespace paraiso::numerics {

/// Gives the flux, per area and time, through a face with normal `axis` between the states `left`
/// on its lower and `right` on its upper side, for a gas with that equation of state, in any
/// consistent units. T is a number or a value of a kernel. Two equal sides must give their own
/// flux; mirroring and exchanging the sides must give the mirror image of the flux.
template <class F, class T, int D, class Gas>
concept RiemannSolver = requires(const F& solver, const Primitive<T, D>& left,
                                 const Primitive<T, D>& right, Axis<D> axis, const Gas& gas) {
  { solver(left, right, axis, gas) } -> std::same_as<Conserved<T, D>>;
};

template <class T, int D, class Gas>
using RiemannFunction = Conserved<T, D> (*)(const Primitive<T, D>& left,
                                            const Primitive<T, D>& right, Axis<D> axis,
                                            const Gas& gas);

/// From the sharpest to the most diffusive.
template <class T, int D, class Gas>
[[nodiscard]] Methods<RiemannFunction<T, D, Gas>> riemann_solvers() {
  return {
      {"hllc", "keeps contacts sharp: Toro, Spruce and Speares (1994)", hllc},
      {"hll", "two waves, spreads contacts: Harten, Lax and van Leer (1983)", hll},
      {"rusanov", "local Lax-Friedrichs, the most diffusive: Rusanov (1961)", rusanov},
  };
}

}  // namespace paraiso::numerics
