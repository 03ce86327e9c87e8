// Who has which cells of a divided grid, and which cells of others each part needs.
// Gives: Cell, Cells, position, each_row, divide, Reading, Border, FieldSides, Need, Needs in
// paraiso_mpi.
// Needs: even.hpp, fill_halo.hpp.
//
// A cell is named by its indices in the whole grid. Beyond the end of a cyclic axis, the part keeps
// it at these plus a shift, a multiple of the grid's size. Ghost cells beyond other sides are not
// sent: each part makes them itself, from what it has and is sent.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "paraiso/support/fill_halo.hpp"
#include "paraiso/support/mpi/even.hpp"

namespace paraiso_mpi {

using paraiso_support::Side;

template <int D>
using Cell = std::array<std::int64_t, D>;

/// Cells [begin, end) along each axis.
template <int D>
struct Cells {
  Cell<D> begin, end;

  std::int64_t along(int axis) const { return end[axis] - begin[axis]; }
  std::int64_t count() const {  // 0 of none
    std::int64_t product = 1;
    for (int a = 0; a < D; ++a) product *= std::max<std::int64_t>(along(a), 0);
    return product;
  }
  Cells moved(const Cell<D>& least, const Cell<D>& most) const {
    Cells result = *this;
    for (int a = 0; a < D; ++a) {
      result.begin[a] += least[a];
      result.end[a] += most[a];
    }
    return result;
  }
  Cells common(const Cells& other) const {
    Cells result = *this;
    for (int a = 0; a < D; ++a) {
      result.begin[a] = std::max(begin[a], other.begin[a]);
      result.end[a] = std::min(end[a], other.end[a]);
    }
    return result;
  }
  /// Adds those that are not among `others` to `rest`.
  void add_without(const Cells& others, std::vector<Cells>& rest) const {
    if (common(others).count() == 0) return rest.push_back(*this);
    Cells left = *this;
    for (int a = D - 1; a >= 0; --a) {
      Cells below = left, above = left;
      below.end[a] = left.begin[a] = std::max(left.begin[a], others.begin[a]);
      above.begin[a] = left.end[a] = std::min(left.end[a], others.end[a]);
      for (const Cells& part : {below, above})
        if (part.count() > 0) rest.push_back(part);
    }
  }
};

/// The number of a cell of a grid, axis 0 fastest.
template <int D>
std::int64_t position(const Cell<D>& cell, const Cell<D>& extents) {
  std::int64_t number = 0;
  for (int a = D - 1; a >= 0; --a) number = number * extents[a] + cell[a];
  return number;
}
/// Calls visit(first cell, number of cells) for each row.
template <int D, class Visit>
void each_row(const Cells<D>& cells, const Visit& visit) {
  Cell<D> first = cells.begin;
  for (std::int64_t rows = cells.count() / cells.along(0); rows > 0; --rows) {
    visit(first, cells.along(0));
    for (int a = 1; a < D && ++first[a] == cells.end[a]; ++a) first[a] = cells.begin[a];
  }
}

template <int D>
void divide(const Cells<D>& cells, std::int64_t parts, EvenCuts& cuts,
            std::vector<Cells<D>>& result) {
  if (parts == 1) return result.push_back(cells);
  EvenCuts::Extents extents;
  for (int a = 0; a < D; ++a) extents.push_back(cells.along(a));
  const EvenCuts::Cut cut = cuts.cut(extents, parts);
  Cells<D> lower = cells, upper = cells;
  lower.end[cut.axis] = upper.begin[cut.axis] = cells.begin[cut.axis] + cut.below;
  divide(lower, cut.parts_below, cuts, result);
  divide(upper, parts - cut.parts_below, cuts, result);
}
/// Divides a grid into `parts`, of which there are no more than cells, as equal as may be.
template <int D>
std::vector<Cells<D>> divide(const Cell<D>& whole, std::int64_t parts) {
  EvenCuts cuts({whole.begin(), whole.end()});
  std::vector<Cells<D>> result;
  divide({{}, whole}, parts, cuts, result);
  return result;
}

/// To compute cells [begin, end), a field's cells [begin + least, end + most) are read.
template <int D>
struct Reading {
  int field;
  Cell<D> least, most;
  friend bool operator<(const Reading& x, const Reading& y) {
    return std::tie(x.field, x.least, x.most) < std::tie(y.field, y.least, y.most);
  }
};

/// One side of a field. Values that a function computes may read cells of fields nearby, or those
/// of the grid that are nearest to them.
template <int D>
struct Border {
  Side rule;
  std::vector<Reading<D>> reads = {};
};
template <int D>
struct FieldSides {
  Border<D> sides[D][2];  // along each axis, the lower and the upper one
};

/// Cells of a field in the grid, to be kept at their place plus `shift`.
template <int D>
struct Need {
  int field;
  Cells<D> cells;
  Cell<D> shift;
};

/// What the part that has the cells `core` needs, each cell once at each place.
template <int D>
class Needs {
 public:
  Needs(const std::vector<FieldSides<D>>& fields, const Cell<D>& whole, const Cells<D>& core)
      : fields_(fields), whole_(whole), core_(core) {
    for (const FieldSides<D>& field : fields)
      for (const auto& sides : field.sides)
        for (const Border<D>& side : sides) computed_sides_ |= !side.reads.empty();
  }

  void add(const Reading<D>& reading) {
    follow(reading.field, core_.moved(reading.least, reading.most), {}, D - 1);
  }
  const std::vector<Need<D>>& all() const { return all_; }

 private:
  /// Indices of one axis that are treated alike: cells that hold what [first, last) hold; or, where
  /// `side` is 0 or 1, for which that side computes values there.
  struct Stretch {
    std::int64_t first, last, shift;
    int side;
  };

  std::vector<Stretch> stretches(std::int64_t begin, std::int64_t end, std::int64_t size,
                                 const Border<D> (&sides)[2]) const {
    std::vector<Stretch> found;
    for (std::int64_t i = begin; i < end; ++i) {
      if (i >= 0 && i < size) {
        const std::int64_t last = std::min(end, size);
        found.push_back({i, last, 0, -1});
        i = last - 1;
        continue;
      }
      const auto source = paraiso_support::resolve(i, size, sides[0].rule, sides[1].rule);
      const std::int64_t at = source.index;
      const int side = source.kind == source.cell ? -1 : source.kind == source.upper_value;
      const std::int64_t shift = sides[0].rule == Side::cyclic ? i - at : 0;
      Stretch* const before = found.empty() ? nullptr : &found.back();
      if (before && before->side == side && before->shift == shift && at >= before->first - 1 &&
          at <= before->last) {
        before->first = std::min(before->first, at);
        before->last = std::max(before->last, at + 1);
      } else {
        found.push_back({at, at + 1, shift, side});
      }
    }
    return found;
  }

  /// Where the values of `cells` come from; those after `axis` lie in the grid already.
  void follow(int field, const Cells<D>& cells, Cell<D> shift, int axis) {
    if (axis < 0) return keep(field, cells, shift);
    const auto& sides = fields_[field].sides[axis];
    for (const Stretch& s : stretches(cells.begin[axis], cells.end[axis], whole_[axis], sides)) {
      Cells<D> part = cells;
      part.begin[axis] = s.first;
      part.end[axis] = s.last;
      shift[axis] = s.shift;
      if (s.side < 0) {
        follow(field, part, shift, axis - 1);
        continue;
      }
      for (const Reading<D>& read : sides[s.side].reads)
        keep(read.field, nearest(part.moved(read.least, read.most)), shift);
    }
  }

  /// The grid's cells that are nearest to `cells`.
  Cells<D> nearest(Cells<D> cells) const {
    for (int a = 0; a < D; ++a) {
      cells.begin[a] = std::clamp<std::int64_t>(cells.begin[a], 0, whole_[a] - 1);
      cells.end[a] = std::clamp<std::int64_t>(cells.end[a] - 1, 0, whole_[a] - 1) + 1;
    }
    return cells;
  }

  /// Around a cyclic axis that is not cut here, ghost cells are filled from the cells inside; what
  /// computes sides may find them at either place.
  void keep(int field, const Cells<D>& cells, const Cell<D>& shift) {
    Cell<D> inside = shift;
    for (int a = 0; a < D; ++a)
      if (core_.along(a) == whole_[a]) inside[a] = 0;
    add_new(field, cells, inside);
    if (inside != shift && computed_sides_) add_new(field, cells, shift);
  }

  void add_new(int field, const Cells<D>& cells, const Cell<D>& shift) {
    std::vector<Cells<D>> missing = {cells};
    const auto remove = [&](const Cells<D>& known) {
      std::vector<Cells<D>> rest;
      for (const Cells<D>& one : missing) one.add_without(known, rest);
      missing = rest;
    };
    if (shift == Cell<D>{}) remove(core_);
    for (const Need<D>& need : all_)
      if (need.field == field && need.shift == shift) remove(need.cells);
    for (const Cells<D>& one : missing) all_.push_back({field, one, shift});
  }

  const std::vector<FieldSides<D>>& fields_;
  Cell<D> whole_;
  Cells<D> core_;
  bool computed_sides_ = false;
  std::vector<Need<D>> all_;
};

}  // namespace paraiso_mpi
