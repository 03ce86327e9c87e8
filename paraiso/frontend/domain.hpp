// Domain: the box that the grid covers, and the coordinates of its cells.
// Gives: Domain. Needs: statics, grid.
#pragma once

#include "paraiso/frontend/grid.hpp"

namespace paraiso {

/// The box that the grid covers, as parameters `x_min`, `x_max`, `y_min`, ...
template <class T, int D>
class Domain {
 public:
  Domain(Builder<D>& om, const Vec<double, D>& lower, const Vec<double, D>& upper, Here here = {})
      : lower_(bound(om, "_min", om::StaticRole::domain_lower, lower, here)),
        upper_(bound(om, "_max", om::StaticRole::domain_upper, upper, here)) {}

  [[nodiscard]] Global<T, D> lower(Axis<D> axis, Here here = {}) const {
    return load(lower_[axis], here);
  }
  [[nodiscard]] Global<T, D> upper(Axis<D> axis, Here here = {}) const {
    return load(upper_[axis], here);
  }
  [[nodiscard]] Global<T, D> length(Axis<D> axis, Here here = {}) const {
    return upper(axis, here) - lower(axis, here);
  }
  /// The width of a cell.
  [[nodiscard]] Global<T, D> dx(Axis<D> axis, Here here = {}) const {
    return length(axis, here) / cast<T>(size(axis, here), here);
  }
  /// The coordinate of each cell's centre.
  [[nodiscard]] Local<T, D> x(Axis<D> axis, Here here = {}) const {
    return lower(axis, here) + (cast<T>(index(axis, here), here) + 0.5) * dx(axis, here);
  }

 private:
  static Vec<Parameter<T, D>, D> bound(Builder<D>& om, const char* suffix, om::StaticRole role,
                                       const Vec<double, D>& initial, Here here) {
    return make_vec<D>([&](Axis<D> a) {
      om::Static declared = detail::static_named(a.name() + suffix, role, a.index());
      return Parameter<T, D>(om, std::move(declared), static_cast<T>(initial[a]), {}, here);
    });
  }
  Vec<Parameter<T, D>, D> lower_, upper_;
};

}  // namespace paraiso
