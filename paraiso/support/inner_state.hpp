// A state between fused steps, in a thread's scratch or in an array: its ghost cells are filled
// from the cells within the grid. Gives: EdgeRule, InnerState in paraiso_support. Needs:
// traversal.hpp, fill_halo.hpp.
#pragma once

#include <cstdint>
#include <cstring>

#include "paraiso/support/fill_halo.hpp"
#include "paraiso/support/traversal.hpp"

namespace paraiso_support {

/// The two sides of an axis; the values are for Side::value.
template <class T>
struct EdgeRule {
  Side lower, upper;
  T lower_value, upper_value;
};

/// Fills rows (along axis 0) of a tile one by one, in the order in which a sweep computes them. A
/// row above the grid is filled when the sweep reaches it: its source has been computed before. A
/// row below the grid is filled together with its source, which comes later. A row below the grid
/// along one axis and above it along a later one is filled together with its neighbour that is only
/// above: its source exists only then, whichever of the two axes is swept first. As in all halos,
/// axes are filled in order, so that corners belong to the last one. Cells beyond a cyclic axis are
/// computed, not filled. Layout gives the place of a cell.
template <int D, class T, class Layout = Window<D>>
class InnerState {
 public:
  /// `reach`: cells kept beyond the tile; `width`: cells filled beyond the grid.
  InnerState(T* cells, const Layout& window, const Grid<D>& grid, const Tile<D>& tile,
             const std::int64_t (&reach_lower)[D], const std::int64_t (&reach_upper)[D],
             const std::int64_t (&width_lower)[D], const std::int64_t (&width_upper)[D],
             const EdgeRule<T> (&rules)[D])
      : cells_(cells), window_(window), grid_(grid) {
    for (int a = 0; a < D; ++a) {
      rules_[a] = rules[a];
      begin_[a] = tile.begin[a] - reach_lower[a];
      end_[a] = tile.end[a] + reach_upper[a];
      if (rules[a].lower == Side::cyclic) continue;
      if (begin_[a] < -width_lower[a]) begin_[a] = -width_lower[a];
      if (end_[a] > grid.size[a] + width_upper[a]) end_[a] = grid.size[a] + width_upper[a];
    }
  }

  /// To be called when the row at `row` (entry 0 is ignored) has just been computed, or lies beyond
  /// the grid.
  void fill_row(const std::int64_t (&row)[D]) const {
    std::int64_t cell[D];
    int last = 0;  // the last axis along which the row is beyond the grid
    for (int a = 1; a < D; ++a) {
      if (row[a] < begin_[a] || row[a] >= end_[a]) return;
      cell[a] = row[a];
      if (is_beyond(a, row[a])) last = a;
    }
    if (last == 0) {
      fill_ends(cell);
      fill_below(cell, 1);
    } else if (fill_from_source(cell, last)) {
      fill_below(cell, last + 1);
      fill_below_beside(cell, 1, last);
    }
  }

  /// All rows of the tile.
  void fill() const {
    std::int64_t row[D];
    for (int a = 1; a < D; ++a) {
      row[a] = begin_[a];
      if (begin_[a] >= end_[a]) return;
    }
    for (;;) {
      fill_row(row);
      int a = 1;
      while (a < D && ++row[a] == end_[a]) {
        row[a] = begin_[a];
        ++a;
      }
      if (a >= D) return;
    }
  }

 private:
  bool is_beyond(int axis, std::int64_t index) const {
    return rules_[axis].lower != Side::cyclic && (index < 0 || index >= grid_.size[axis]);
  }
  Source source_of(int axis, std::int64_t index) const {
    return resolve(index, grid_.size[axis], rules_[axis].lower, rules_[axis].upper);
  }
  T value_of(int axis, const Source& source) const {
    const EdgeRule<T>& rule = rules_[axis];
    return negated_if(source.negate,
                      source.kind == Source::lower_value ? rule.lower_value : rule.upper_value);
  }
  T* row_at(const std::int64_t (&cell)[D]) const { return cells_ + window_.address(cell); }

  void fill_ends(const std::int64_t (&cell)[D]) const {
    if (rules_[0].lower == Side::cyclic) return;
    T* const row = row_at(cell);
    const auto fill = [&](std::int64_t i) {
      const Source source = source_of(0, i);
      row[i] = source.kind == Source::cell ? negated_if(source.negate, row[source.index])
                                           : value_of(0, source);
    };
    for (std::int64_t i = begin_[0]; i < 0; ++i) fill(i);
    for (std::int64_t i = grid_.size[0]; i < end_[0]; ++i) fill(i);
  }

  /// False if the source has not been computed yet.
  bool fill_from_source(const std::int64_t (&cell)[D], int axis) const {
    const Source source = source_of(axis, cell[axis]);
    T* const to = row_at(cell);
    if (source.kind != Source::cell) {
      const T value = value_of(axis, source);
      for (std::int64_t i = begin_[0]; i < end_[0]; ++i) to[i] = value;
      return true;
    }
    if (cell[axis] < 0) return false;
    copy(cell, axis, source, to);
    return true;
  }
  void copy(const std::int64_t (&cell)[D], int axis, const Source& source, T* to) const {
    std::int64_t from[D];
    for (int a = 1; a < D; ++a) from[a] = a == axis ? source.index : cell[a];
    copy_row(to + begin_[0], row_at(from) + begin_[0], end_[0] - begin_[0], source.negate);
  }

  /// Calls `visit(below, source)` for each row below the grid along `axis` that is filled from a
  /// row like `cell`.
  template <class Visit>
  void each_below(const std::int64_t (&cell)[D], int axis, Visit&& visit) const {
    if (rules_[axis].lower == Side::cyclic || cell[axis] >= -begin_[axis]) return;
    for (std::int64_t index = begin_[axis]; index < 0; ++index) {
      const Source source = source_of(axis, index);
      if (source.kind != Source::cell || source.index != cell[axis]) continue;
      std::int64_t below[D];
      for (int a = 1; a < D; ++a) below[a] = a == axis ? index : cell[a];
      visit(below, source);
    }
  }

  /// Fills the rows below the grid, along axes from `axis` on, whose source is the row at `cell`.
  void fill_below(const std::int64_t (&cell)[D], int axis) const {
    for (int a = axis; a < D; ++a)
      each_below(cell, a, [&](const std::int64_t(&below)[D], const Source& source) {
        copy(below, a, source, row_at(below));
        fill_below(below, a + 1);
      });
  }

  /// Next to a row above the grid along `last`: fills the rows that are also below it, along axes
  /// from `axis` to `last` - 1.
  void fill_below_beside(const std::int64_t (&cell)[D], int axis, int last) const {
    for (int a = axis; a < last; ++a)
      each_below(cell, a, [&](const std::int64_t(&below)[D], const Source&) {
        if (fill_from_source(below, last)) fill_below(below, last + 1);
        fill_below_beside(below, a + 1, last);
      });
  }

  T* cells_;
  const Layout& window_;
  const Grid<D>& grid_;
  EdgeRule<T> rules_[D];
  std::int64_t begin_[D], end_[D];
};

}  // namespace paraiso_support
