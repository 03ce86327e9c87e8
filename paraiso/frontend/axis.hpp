// Axis: one direction of the grid. It selects a vector's component and shifts along the grid.
// Gives: Axis<D>, Offset<D>, axes<D>(). Needs: the largest dimension.
#pragma once

#include <fmt/format.h>

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/error.hpp"
#include "paraiso/om/verify/verify.hpp"

namespace paraiso {

template <int D>
class Offset;

/// One of D directions, of a grid or of other vectors; the index is in [0, D).
template <int D>
class Axis {
  static_assert(1 <= D && D <= kMostComponents, "an Axis is one of 1 to 32");

 public:
  constexpr explicit Axis(int index, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE())
      : index_(index) {
    if (index < 0 || index >= D) refuse(index, {file, line});
  }
  [[nodiscard]] constexpr int index() const { return index_; }
  [[nodiscard]] std::string name() const { return axis_name(index_); }

  friend constexpr auto operator<=>(const Axis&, const Axis&) = default;
  friend constexpr Offset<D> operator+(Axis a) { return Offset<D>(a); }
  friend constexpr Offset<D> operator-(Axis a) { return -Offset<D>(a); }
  friend constexpr Offset<D> operator*(int cells, Axis a) { return cells * Offset<D>(a); }
  friend constexpr Offset<D> operator+(Axis a, Axis b) { return Offset<D>(a) + Offset<D>(b); }
  friend constexpr Offset<D> operator-(Axis a, Axis b) { return Offset<D>(a) - Offset<D>(b); }

 private:
  [[noreturn]] static void refuse(int index, Location location) {
    throw Error(location,
                fmt::format("there is no axis {}: axes of {} dimension{} are numbered from 0",
                            index, D, D == 1 ? "" : "s"));
  }

  int index_;
};

/// A displacement on the grid in cells: `+x`, `2 * x - y`.
template <int D>
class Offset {
 public:
  constexpr Offset() = default;
  constexpr Offset(Axis<D> axis) { cells_[axis.index()] = 1; }  // NOLINT: meant to be implicit
  [[nodiscard]] constexpr std::int32_t operator[](Axis<D> axis) const {
    return cells_[axis.index()];
  }
  [[nodiscard]] std::vector<std::int32_t> cells() const { return {cells_.begin(), cells_.end()}; }

  friend constexpr bool operator==(const Offset&, const Offset&) = default;
  friend constexpr Offset operator*(int factor, Offset a) {
    for (auto& cell : a.cells_) cell *= factor;
    return a;
  }
  friend constexpr Offset operator-(Offset a) { return -1 * a; }
  friend constexpr Offset operator+(Offset a, const Offset& b) {
    for (int i = 0; i < D; ++i) a.cells_[i] += b.cells_[i];
    return a;
  }
  friend constexpr Offset operator-(const Offset& a, const Offset& b) { return a + -b; }

 private:
  std::array<std::int32_t, D> cells_{};
};

/// All axes in order: `for (Axis<D> a : axes<D>())`.
template <int D>
[[nodiscard]] constexpr std::array<Axis<D>, D> axes() {
  return []<int... I>(std::integer_sequence<int, I...>) { return std::array{Axis<D>(I)...}; }
  (std::make_integer_sequence<int, D>{});
}

}  // namespace paraiso
