// Interpolation: states on the faces between cells, from the means of the cells, for any record.
// Gives: Faces, linear_faces, FaceStates, face_states. Needs: limiters, grid.
#pragma once

#include "numerics/limiters.hpp"
#include "paraiso/frontend/grid.hpp"

namespace paraiso::numerics {

/// The interpolated states at a cell's own two faces along an axis.
template <class R>
struct Faces {
  R lower, upper;
};

/// Piecewise linear in each variable: half a limited slope below and above the cell's value.
/// `below`, `cell` and `above` are neighbours along an axis, records of numbers or of values. van
/// Leer (1979); Toro (2009), eq. 14.1.
template <class R, class L>
[[nodiscard]] Faces<R> linear_faces(const R& below, const R& cell, const R& above,
                                    const L& limiter) {
  const R rise = zip(
      [&]<class T>(const T& b, const T& c, const T& a) -> T {
        static_assert(Limiter<L, T>);
        return number_type<T>(0.5) * limiter(T(c - b), T(a - c));
      },
      below, cell, above);
  return {zip([](const auto& c, const auto& r) { return c - r; }, cell, rise),
          zip([](const auto& c, const auto& r) { return c + r; }, cell, rise)};
}

/// The states at one face as interpolated in the cells on both sides.
template <class R>
struct FaceStates {
  R left, right;
};

/// The states at the upper face along `axis` of each cell, interpolated from `cells` in the cell
/// itself (left) and in the next one (right). Reads one cell down and two up.
template <class R, int D, class L>
[[nodiscard]] FaceStates<R> face_states(const R& cells, Axis<D> axis, const L& limiter) {
  Scope scope("interpolate");
  const Faces<R> faces = linear_faces(at(cells, -axis), cells, at(cells, +axis), limiter);
  return {faces.upper, at(faces.lower, +axis)};
}

}  // namespace paraiso::numerics
