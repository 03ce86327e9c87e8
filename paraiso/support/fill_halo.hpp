// How a halo is filled, axis by axis, from the rules of its sides.
// Gives: Side, Source, resolve, no_value, fill_axis in paraiso_support. Needs: grid.hpp,
// limits.hpp, threads.hpp.
//
// All that depends on the side alone is decided a layer or a row at a time: rows are copied whole,
// and along axis 0, where a row has only few halo cells, from a short table of sources.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "paraiso/support/grid.hpp"
#include "paraiso/support/limits.hpp"
#include "paraiso/support/threads.hpp"

namespace paraiso_support {

/// The rule of one side of one axis. `value`: a fixed value or a function of the halo cell.
enum class Side { cyclic, outflow, reflect, reflect_negative, value };

/// Where a halo cell's value comes from: the cell at `index`, or the lower or upper side's value
/// there.
struct Source {
  std::int64_t index;
  enum { cell, lower_value, upper_value } kind;
  bool negate;
};

/// Applies the sides' rules until the index lies in the core [0, size) or a value is met.
inline Source resolve(std::int64_t index, std::int64_t size, Side lower, Side upper) {
  bool negate = false;
  while (index < 0 || index >= size) {
    const bool below = index < 0;
    switch (below ? lower : upper) {
      case Side::cyclic: index += below ? size : -size; break;
      case Side::outflow: index = below ? 0 : size - 1; break;
      case Side::reflect_negative: negate = !negate; [[fallthrough]];
      case Side::reflect: index = below ? -1 - index : 2 * size - 1 - index; break;
      case Side::value: return {index, below ? Source::lower_value : Source::upper_value, negate};
    }
  }
  return {index, Source::cell, negate};
}

/// Stands for the value of a side that has none.
template <class T>
T no_value(const std::int64_t*) {
  return T{};
}

template <class T>
T negated_if(bool negate, T value) {
  if constexpr (!std::is_same_v<T, bool>)
    if (negate) return neg(value);
  return value;
}

/// Cells [begin, end) along each axis; a row of it runs along axis 0.
template <int D>
struct Box {
  std::int64_t begin[D], end[D];

  std::int64_t rows() const {
    std::int64_t count = 1;
    for (int a = 1; a < D; ++a) count *= end[a] - begin[a];
    return count;
  }
  /// Calls body(cell, row) for the rows numbered [first, last), axis 1 fastest: the row's first
  /// cell and the address, relative to core cell 0, of its cell 0.
  template <class Body>
  void each_row(const Grid<D>& grid, std::int64_t first, std::int64_t last,
                const Body& body) const {
    if (first == last) return;
    std::int64_t cell[D], rest = first;
    for (int a = 1; a < D; ++a) {
      cell[a] = begin[a] + rest % (end[a] - begin[a]);
      rest /= end[a] - begin[a];
    }
    for (std::int64_t r = first; r < last; ++r) {
      std::int64_t row = 0;
      for (int a = 1; a < D; ++a) row += cell[a] * grid.stride[a];
      cell[0] = begin[0];
      body(cell, row);
      for (int a = 1; a < D && ++cell[a] == end[a]; ++a) cell[a] = begin[a];
    }
  }
  /// The same for all rows, in any order, by `threads` threads.
  template <class Body>
  void share_rows(const Grid<D>& grid, int threads, const Body& body) const {
    const std::int64_t count = rows();
    if (threads == 1) return each_row(grid, 0, count, body);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int t = 0; t < threads; ++t)
      each_row(grid, count * t / threads, count * (t + 1) / threads, body);
  }
};

/// Fills cells [-lower, 0) and [size, size + upper) of axis 0 in every row of the core.
template <int D, class T, class LowerValue, class UpperValue>
void fill_row_ends(T* array, const Grid<D>& grid, const Threads& threads, std::int64_t lower,
                   std::int64_t upper, Side lower_side, Side upper_side,
                   const LowerValue& lower_value, const UpperValue& upper_value) {
  Box<D> box{};
  for (int a = 0; a < D; ++a) box.end[a] = grid.size[a];
  constexpr std::int64_t most = 32;  // layers filled in one go over the rows
  for (std::int64_t first = -lower; first < upper; first += most) {
    std::int64_t layers[most];
    Source sources[most];
    int count = 0;
    for (std::int64_t l = first; l < upper && count < most; ++l, ++count) {
      layers[count] = l < 0 ? l : grid.size[0] + l;
      sources[count] = resolve(layers[count], grid.size[0], lower_side, upper_side);
    }
    // The ends of a row lie in cache lines of their own: as slow as copying some tens of cells, and
    // known to nobody but us, so they are asked for some rows ahead.
    constexpr std::int64_t ahead = 12;
    const auto ask_for_row = [&](const T* cells) {
      for (int l = 0; l < count; ++l) {
        __builtin_prefetch(far_from(cells, sources[l].index));
        __builtin_prefetch(far_from(cells, layers[l]), 1);
      }
    };
    const int sharing = threads.for_cells(box.rows(), row_ends_nanoseconds);
    box.share_rows(grid, sharing, [&](std::int64_t* cell, std::int64_t row) {
      T* const cells = array + row;
      if constexpr (D > 1) ask_for_row(far_from(cells, ahead * grid.stride[1]));
      for (int l = 0; l < count; ++l) {
        const Source& source = sources[l];
        cell[0] = source.index;
        const T value = source.kind == Source::cell          ? cells[source.index]
                        : source.kind == Source::lower_value ? lower_value(cell)
                                                             : upper_value(cell);
        cells[layers[l]] = negated_if(source.negate, value);
      }
    });
  }
}

/// Copies `count` cells of a row, with their signs changed if told.
template <class T>
void copy_row(T* to, const T* from, std::int64_t count, bool negate) {
  if constexpr (!std::is_same_v<T, bool>)
    if (negate) {
      for (std::int64_t i = 0; i < count; ++i) to[i] = neg(from[i]);
      return;
    }
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

/// Sets cells [cell[0], end) of a row to the values of a side there.
template <class T, class Value>
void compute_row(T* cells, std::int64_t* cell, std::int64_t end, bool negate, const Value& value) {
  for (std::int64_t i = cell[0]; i < end; ++i) {
    cell[0] = i;
    cells[i] = negated_if(negate, value(cell));
  }
}

/// Fills the layers outside [0, size) of an axis above 0, row by row.
template <int D, class T, class LowerValue, class UpperValue>
void fill_rows(T* array, const Grid<D>& grid, const Threads& threads, int axis,
               const std::int64_t (&lower)[D], const std::int64_t (&upper)[D], Side lower_side,
               Side upper_side, const LowerValue& lower_value, const UpperValue& upper_value) {
  Box<D> box;
  for (int a = 0; a < D; ++a) {
    box.begin[a] = a <= axis ? -lower[a] : 0;
    box.end[a] = a == axis ? upper[a] : grid.size[a] + (a < axis ? upper[a] : 0);
  }
  // Along the axis the box counts layers: those of the upper side from 0 on.
  const std::int64_t size = grid.size[axis], stride = grid.stride[axis];
  const std::int64_t first = box.begin[0], count = box.end[0] - first;
  const int sharing = threads.for_cells(box.rows() * count, copy_nanoseconds);
  box.share_rows(grid, sharing, [&](std::int64_t* cell, std::int64_t row) {
    const std::int64_t number = cell[axis], layer = number < 0 ? number : size + number;
    const Source source = resolve(layer, size, lower_side, upper_side);
    T* const cells = array + row + (layer - number) * stride;
    if (source.kind == Source::cell) {
      const T* const from = cells + (source.index - layer) * stride;
      return copy_row(cells + first, from + first, count, source.negate);
    }
    cell[axis] = source.index;
    if (source.kind == Source::lower_value)
      compute_row(cells, cell, box.end[0], source.negate, lower_value);
    else
      compute_row(cells, cell, box.end[0], source.negate, upper_value);
    cell[axis] = number;
  });
}

/// Fills the halo of `axis` over the range that earlier axes have widened. `lower` and `upper` are
/// the array's halo widths; the values are functions of a cell's indices, which several threads may
/// call at a time.
template <int axis, int D, class T, class LowerValue, class UpperValue>
void fill_axis(T* array, const Grid<D>& grid, const Threads& threads,
               const std::int64_t (&lower)[D], const std::int64_t (&upper)[D], Side lower_side,
               Side upper_side, const LowerValue& lower_value, const UpperValue& upper_value) {
  if constexpr (axis == 0)
    fill_row_ends(array, grid, threads, lower[0], upper[0], lower_side, upper_side, lower_value,
                  upper_value);
  else
    fill_rows(array, grid, threads, axis, lower, upper, lower_side, upper_side, lower_value,
              upper_value);
}

}  // namespace paraiso_support
