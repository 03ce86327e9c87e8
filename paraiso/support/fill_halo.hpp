// Fills a halo, axis by axis, by the rules of its sides.
// Gives: Side, Source, resolve, no_value, fill_axis in paraiso_support. Needs: grid.hpp,
// limits.hpp, threads.hpp.
//
// Whatever depends on the side alone is decided once per layer or row: rows are copied whole, and
// along axis 0, where a row has few ghost cells, a short table of sources is used.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "paraiso/support/grid.hpp"
#include "paraiso/support/limits.hpp"
#include "paraiso/support/threads.hpp"

namespace paraiso_support {

/// The rule of one side of one axis. `value`: a fixed value or a function of the ghost cell.
enum class Side { cyclic, outflow, reflect, reflect_negative, value };

/// Where a ghost cell's value comes from: the cell at `index`, or the lower or upper side's value
/// there.
struct Source {
  std::int64_t index;
  enum { cell, lower_value, upper_value } kind;
  bool negate;
};

/// Takes whole periods of the sides' rules from an index far outside, which would else come nearer
/// by one size a turn. Rules that have no period need two turns at most.
inline std::int64_t without_periods(std::int64_t index, std::int64_t size, Side lower, Side upper,
                                    bool& negate) {
  const auto reflects = [](Side side) {
    return side == Side::reflect || side == Side::reflect_negative;
  };
  if (lower == Side::cyclic && upper == Side::cyclic) return index % size;
  if (!reflects(lower) || !reflects(upper)) return index;
  if (lower != upper && index / (2 * size) % 2 != 0) negate = !negate;
  return index % (2 * size);
}

/// Applies the sides' rules until the index lies in the core [0, size) or a value is met. In a part
/// of a divided axis, until it lies in the whole; what lies in another part, or beyond the end of a
/// cyclic axis, has been put at its place: a ghost cell that is its own source.
inline Source resolve(std::int64_t index, const Line& line, Side lower, Side upper) {
  if (line.divided() && lower == Side::cyclic) return {index, Source::cell, false};
  const std::int64_t size = line.whole;
  index += line.origin;
  bool negate = false;
  if (index < -size || index >= 2 * size)
    index = without_periods(index, size, lower, upper, negate);
  while (index < 0 || index >= size) {
    const bool below = index < 0;
    switch (below ? lower : upper) {
      case Side::cyclic: index += below ? size : -size; break;
      case Side::outflow: index = below ? 0 : size - 1; break;
      case Side::reflect_negative: negate = !negate; [[fallthrough]];
      case Side::reflect: index = below ? -1 - index : 2 * size - 1 - index; break;
      case Side::value:
        return {index - line.origin, below ? Source::lower_value : Source::upper_value, negate};
    }
  }
  return {index - line.origin, Source::cell, negate};
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

template <int D>
Box<D> core_rows(const Grid<D>& grid) {
  Box<D> box{};
  for (int a = 0; a < D; ++a) box.end[a] = grid.size[a];
  return box;
}

/// The rows whose ghost cells along `axis` are to be filled: as far as earlier axes have widened
/// them, and those that came from other parts along later ones, of which those in `cyclic` (a bit
/// an axis) are cyclic. A reflection in a part thinner than the halo reads further.
template <int axis, unsigned cyclic, int D>
Box<D> rows_beside(const Grid<D>& grid, const std::int64_t (&lower)[D],
                   const std::int64_t (&upper)[D]) {
  Box<D> box{};
  for (int a = 0; a < D; ++a) {
    const std::int64_t size = grid.size[a];
    const bool around = size < grid.whole[a] && (cyclic >> a & 1) != 0;
    const bool below = a > axis && (around || grid.origin[a] > 0);
    const bool above = a > axis && (around || grid.origin[a] + size < grid.whole[a]);
    const std::int64_t lowest = lower[a] > upper[a] - size ? lower[a] : upper[a] - size;
    const std::int64_t highest = upper[a] > lower[a] - size ? upper[a] : lower[a] - size;
    box.begin[a] = a < axis ? -lower[a] : below ? -lowest : 0;
    box.end[a] = size + (a < axis ? upper[a] : above ? highest : 0);
  }
  return box;
}

/// A ghost cell as values of sides see it: its indices in the whole grid, brought inside along
/// cyclic axes after the side's own, then its indices in this part. Unless the grid is `divided`,
/// both are the same.
template <int axis, unsigned cyclic, bool divided, int D>
struct Ghost {
  std::int64_t indices[2 * D];

  Ghost(const Grid<D>& grid, const std::int64_t* cell) {
    for (int a = 0; a < D; ++a) {
      indices[a] = indices[D + a] = cell[a];
      if constexpr (divided) indices[a] = in_whole(grid, a, cell[a] + grid.origin[a]);
    }
  }

 private:
  static std::int64_t in_whole(const Grid<D>& grid, int a, std::int64_t i) {
    const std::int64_t whole = grid.whole[a];
    if (a > axis && (cyclic >> a & 1) != 0)
      if (i < 0 || i >= whole) i = (i % whole + whole) % whole;
    return i;
  }
};

/// Leaves out layers that are their own source; how many are left.
inline int without_received(std::int64_t* layers, Source* sources, int count) {
  int left = 0;
  for (int l = 0; l < count; ++l) {
    if (sources[l].kind == Source::cell && sources[l].index == layers[l]) continue;
    layers[left] = layers[l];
    sources[left++] = sources[l];
  }
  return left;
}

/// Fills cells [-lower, 0) and [size, size + upper) of axis 0 in the rows of a box. If these are
/// numbers that the compiler knows, it computes the table, and has no loop over a row's layers:
/// that is worth a version of its own for grids that are not `divided`.
template <unsigned cyclic, bool divided, int D, class T, class LowerValue, class UpperValue>
void fill_row_ends(T* array, const Grid<D>& grid, const Threads& threads, const Box<D>& box,
                   std::int64_t lower, std::int64_t upper, Side lower_side, Side upper_side,
                   const LowerValue& lower_value, const UpperValue& upper_value) {
  const Line line = divided ? grid.line(0) : Line(grid.size[0]);
  constexpr std::int64_t most = 32;  // layers filled in one go over the rows
  for (std::int64_t first = -lower; first < upper; first += most) {
    std::int64_t layers[most];
    Source sources[most];
    int count = 0;
    for (std::int64_t l = first; l < upper && count < most; ++l, ++count) {
      layers[count] = l < 0 ? l : grid.size[0] + l;
      sources[count] = resolve(layers[count], line, lower_side, upper_side);
    }
    if constexpr (divided) count = without_received(layers, sources, count);
    if (count == 0) continue;
    // The ends of a row lie in cache lines of their own. Waiting for them costs as much as copying
    // tens of cells, and the processor does not foresee them, so they are prefetched some rows
    // ahead.
    constexpr std::int64_t ahead = 12;
    const auto ask_for_row = [&](const T* cells) {
      for (int l = 0; l < count; ++l) {
        __builtin_prefetch(far_from(cells, sources[l].index));
        __builtin_prefetch(far_from(cells, layers[l]), 1);
      }
    };
    // Shared where loops over these rows are: a row's ends are in the cache of who has the row.
    const int sharing = D == 1 ? 1 : threads.for_cells(box.rows() * grid.size[0], copy_nanoseconds);
    box.share_rows(grid, sharing, [&](std::int64_t* cell, std::int64_t row) {
      T* const cells = array + row;
      if constexpr (D > 1) ask_for_row(far_from(cells, ahead * grid.stride[1]));
      for (int l = 0; l < count; ++l) {
        const Source& source = sources[l];
        cell[0] = source.index;
        const auto ghost = [&] { return Ghost<0, cyclic, divided, D>(grid, cell); };
        const T value = source.kind == Source::cell          ? cells[source.index]
                        : source.kind == Source::lower_value ? lower_value(ghost().indices)
                                                             : upper_value(ghost().indices);
        cells[layers[l]] = negated_if(source.negate, value);
      }
    });
  }
}

/// Copies `count` cells of a row, with opposite sign if `negate`.
template <class T>
void copy_row(T* to, const T* from, std::int64_t count, bool negate) {
  if constexpr (!std::is_same_v<T, bool>)
    if (negate) {
      for (std::int64_t i = 0; i < count; ++i) to[i] = neg(from[i]);
      return;
    }
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

/// Sets cells [begin, end) of a row to the values of a side there; `ghost`: the indices of one.
template <int D, class T, class Value>
void compute_row(T* cells, std::int64_t (&ghost)[2 * D], std::int64_t begin, std::int64_t end,
                 bool negate, const Value& value) {
  const std::int64_t origin = ghost[0] - ghost[D];
  for (std::int64_t i = begin; i < end; ++i) {
    ghost[0] = i + origin;
    ghost[D] = i;
    cells[i] = negated_if(negate, value(static_cast<const std::int64_t*>(ghost)));
  }
}

/// Fills the layers outside [0, size) of an axis above 0, row by row.
template <int axis, unsigned cyclic, int D, class T, class LowerValue, class UpperValue>
void fill_rows(T* array, const Grid<D>& grid, const Threads& threads,
               const std::int64_t (&lower)[D], const std::int64_t (&upper)[D], Side lower_side,
               Side upper_side, const LowerValue& lower_value, const UpperValue& upper_value) {
  Box<D> box = rows_beside<axis, cyclic>(grid, lower, upper);
  // Along the axis the box counts layers: those of the upper side from 0 on.
  box.begin[axis] = -lower[axis];
  box.end[axis] = upper[axis];
  const std::int64_t size = grid.size[axis], stride = grid.stride[axis];
  const std::int64_t first = box.begin[0], count = box.end[0] - first;
  const int sharing = threads.for_cells(box.rows() * count, copy_nanoseconds);
  box.share_rows(grid, sharing, [&](std::int64_t* cell, std::int64_t row) {
    const std::int64_t number = cell[axis], layer = number < 0 ? number : size + number;
    const Source source = resolve(layer, grid.line(axis), lower_side, upper_side);
    T* const cells = array + row + (layer - number) * stride;
    if (source.kind == Source::cell) {
      if (source.index == layer) return;
      const T* const from = cells + (source.index - layer) * stride;
      return copy_row(cells + first, from + first, count, source.negate);
    }
    cell[axis] = source.index;
    Ghost<axis, cyclic, true, D> ghost(grid, cell);
    if (source.kind == Source::lower_value)
      compute_row<D>(cells, ghost.indices, first, box.end[0], source.negate, lower_value);
    else
      compute_row<D>(cells, ghost.indices, first, box.end[0], source.negate, upper_value);
    cell[axis] = number;
  });
}

/// Fills the halo of `axis` over the range that earlier axes have widened; `cyclic`: the later axes
/// along which the field is cyclic, a bit an axis. `lower` and `upper` are the array's halo widths;
/// the values are functions of a Ghost's indices, which several threads may call at once.
template <int axis, unsigned cyclic = 0, int D, class T, class LowerValue, class UpperValue>
void fill_axis(T* array, const Grid<D>& grid, const Threads& threads,
               const std::int64_t (&lower)[D], const std::int64_t (&upper)[D], Side lower_side,
               Side upper_side, const LowerValue& lower_value, const UpperValue& upper_value) {
  if constexpr (axis > 0)
    fill_rows<axis, cyclic>(array, grid, threads, lower, upper, lower_side, upper_side, lower_value,
                            upper_value);
  else if (grid.is_divided())
    fill_row_ends<cyclic, true>(array, grid, threads, rows_beside<0, cyclic>(grid, lower, upper),
                                lower[0], upper[0], lower_side, upper_side, lower_value,
                                upper_value);
  else
    fill_row_ends<cyclic, false>(array, grid, threads, core_rows(grid), lower[0], upper[0],
                                 lower_side, upper_side, lower_value, upper_value);
}

}  // namespace paraiso_support
