// Box: a product of intervals of cells, the paper's orthotope.
// Gives: Cell, Box, intersection, without, subtract, moved, plus, minus. Needs: nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paraiso::om {

using Cell = std::vector<std::int64_t>;  // one index an axis

/// The cells `lower <= index < upper` of each axis. A box without axes has one cell. Orthotopes are
/// closed under intersection and not under union: unions are lists of boxes without common cells.
struct Box {
  Cell lower, upper;

  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t cell_count() const;  // of a box that is not empty
  [[nodiscard]] std::size_t row_length() const;  // cells along axis 0; 1 without axes
  [[nodiscard]] bool holds(const Cell& cell) const;
  /// Grows to the smallest box that also holds `other`, which has the same axes.
  void include(const Box& other);
  /// The position of `cell` in the box, axis 0 fastest; axes that the box lacks are ignored.
  [[nodiscard]] std::size_t position(const Cell& cell) const;
  /// Calls `visit(cell)` in the order of positions.
  template <class F>
  void for_each(F&& visit) const {
    Cell cell = lower;
    for (std::size_t left = cell_count(); left > 0; --left) {
      visit(static_cast<const Cell&>(cell));
      for (std::size_t a = 0; a < cell.size() && ++cell[a] == upper[a]; ++a) cell[a] = lower[a];
    }
  }
  /// Calls `visit(cell)` with the first cell of each row along axis 0, in the order of positions.
  template <class F>
  void for_each_row(F&& visit) const {
    Box first = *this;
    if (!lower.empty()) first.upper[0] = first.lower[0] + 1;
    first.for_each(visit);
  }
  friend bool operator==(const Box&, const Box&) = default;
};

[[nodiscard]] Cell plus(Cell cell, const Cell& shift);
[[nodiscard]] Cell minus(Cell cell, const Cell& shift);
[[nodiscard]] Box moved(const Box& box, const Cell& shift);
[[nodiscard]] Box intersection(const Box& x, const Box& y);
/// The cells of `x` that are not in `y`: at most two boxes an axis, without common cells.
[[nodiscard]] std::vector<Box> without(const Box& x, const Box& y);
/// The cells of `boxes` that are in none of `others`.
[[nodiscard]] std::vector<Box> subtract(std::vector<Box> boxes, const std::vector<Box>& others);

}  // namespace paraiso::om
