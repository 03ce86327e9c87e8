// Finite volumes: the change of each cell by the fluxes through its faces.
// Gives: flux_difference. Needs: grid, time_marching.
#pragma once

#include "numerics/time_marching.hpp"
#include "paraiso/frontend/grid.hpp"

namespace paraiso::numerics {

/// The change of each cell by `fluxes[a]`, records of fluxes through the cell's upper face along
/// axis a, where `dt_per_width[a]` is the time step over the mesh width; eq. 23 of Muranushi
/// (2012). What leaves a cell enters its neighbour, so the sum over a cyclic grid changes by
/// rounding only.
template <class R, int D, class Time>
[[nodiscard]] R flux_difference(const Vec<R, D>& fluxes, const Vec<Time, D>& dt_per_width) {
  const auto along = [&](Axis<D> a) {
    Scope scope("difference_" + a.name());
    return map([&](const auto& f) { return dt_per_width[a] * (at(f, -a) - f); }, fluxes[a]);
  };
  R total = along(Axis<D>(0));
  for (int i = 1; i < D; ++i) total = add(total, along(Axis<D>(i)));
  return total;
}

}  // namespace paraiso::numerics
