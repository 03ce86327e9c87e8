// x ghost cells, computed by the loop that reads the row, so that no array holds them.
// Gives: Row, RowEnds, each_vector_of_rows in paraiso_support. Needs: fill_halo.hpp,
// vector_cells.hpp.
//
// Vectors that reach beyond an end read a copy of the row's first or last cells, which the side's
// rule has extended by the ghost cells; all others read the row itself. Short rows are copied
// whole. Ghost cells of another part of the grid have been put beside the row.
//
// The last vector has lanes beyond the last ghost cell, whose results nobody reads. They hold that
// cell's value once more: what lay in memory there may be a pointer, which as a float is a denormal
// number, and operations with those take a hundred times as long.
#pragma once

#include <cstdint>
#include <cstring>

#include "paraiso/support/fill_halo.hpp"
#include "paraiso/support/vector_cells.hpp"

namespace paraiso_support {

/// A row and copies of its ends, for a loop by machine vectors of Unit that reads as far as `lower`
/// cells before its own cell and `upper` cells after it.
template <class T, class Unit, int lower, int upper>
struct Row {
  static constexpr int lanes = vector_bytes / sizeof(Unit);
  static constexpr int reach = ((lower > upper ? lower : upper) + lanes - 1) / lanes * lanes;
  static constexpr int shortest = 3 * reach + lanes;  // rows shorter than this are copied whole
  static constexpr int last_cells = reach + upper + lanes - 1;

  const T* cells;
  std::int64_t size;
  // with room for whole vectors
  T lower_copy[2 * reach + shortest + 2 * lanes], upper_copy[last_cells + reach + 2 * lanes];

  bool is_short() const { return size < shortest; }
  /// Vectors before `first` and those from `last` on need the copies.
  std::int64_t first() const { return is_short() ? size : reach; }
  std::int64_t last() const { return is_short() ? size : (size - upper) / lanes * lanes; }
  /// Where cell 0 lies, or would lie.
  const T* at_lower() const { return lower_copy + reach; }
  const T* at_upper() const { return upper_copy + last_cells - size; }
};

template <class T, class Unit, int lower, int upper>
class RowEnds {
  using RowCopy = Row<T, Unit, lower, upper>;

 public:
  /// The values are for Side::value.
  RowEnds(const Line& line, Side lower_side, Side upper_side, T lower_value, T upper_value)
      : size_(line.size) {
    const auto end_at = [&](std::int64_t index) {
      const Source source = resolve(index, line, lower_side, upper_side);
      return End{source, source.kind == Source::lower_value ? lower_value : upper_value};
    };
    for (int l = 0; l < lower; ++l) before_[l] = end_at(l - lower);
    for (int l = 0; l < upper; ++l) after_[l] = end_at(size_ + l);
  }

  PARAISO_INLINE RowCopy of(const T* cells) const {
    RowCopy row;
    row.cells = cells;
    row.size = size_;
    T* const first = row.lower_copy + RowCopy::reach;
    T* end = row.upper_copy + RowCopy::last_cells;
    if (row.is_short()) {
      std::memcpy(first, cells, sizeof(T) * static_cast<std::size_t>(size_));
      end = first + size_;
    } else {
      std::memcpy(first, cells, sizeof(T) * 2 * RowCopy::reach);
      std::memcpy(row.upper_copy, cells + size_ - RowCopy::last_cells,
                  sizeof(T) * RowCopy::last_cells);
    }
    for (int l = 0; l < lower; ++l) first[l - lower] = before_[l].of(cells);
    for (int l = 0; l < upper; ++l) end[l] = after_[l].of(cells);
    for (int l = 0; l < RowCopy::lanes; ++l) end[upper + l] = end[upper - 1];
    return row;
  }

 private:
  struct End {
    Source source;
    T value;
    T of(const T* cells) const {
      return negated_if(source.negate, source.kind == Source::cell ? cells[source.index] : value);
    }
  };

  std::int64_t size_;
  End before_[lower > 0 ? lower : 1], after_[upper > 0 ? upper : 1];
};

/// Calls cells(lanes, i, rows...) for all cells of rows of one length, as each_vector does: each
/// row is a pointer to its cell 0, or near an end the same for the copy.
template <class Unit, int N, class Cells, class First, class... Others>
PARAISO_INLINE void each_vector_of_rows(Cells&& cells, const First& row, const Others&... others) {
  const std::int64_t first = row.first(), last = row.last();
  for (const bool upper : {false, true})
    for (std::int64_t i = upper ? last : 0; i < (upper ? row.size : first); i += First::lanes)
      cells(LaneCount<First::lanes>(), i, upper ? row.at_upper() : row.at_lower(),
            upper ? others.at_upper() : others.at_lower()...);
  each_vector<Unit, N>(first, last, [&](auto lanes, std::int64_t i) PARAISO_CELLS {
    cells(lanes, i, row.cells, others.cells...);
  });
}

}  // namespace paraiso_support
