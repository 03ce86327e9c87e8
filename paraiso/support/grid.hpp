// The grid of a generated solver: where cells lie in memory, and operations on all of them.
// Gives: Line, Grid, count_elements, row_chunks, Partials, combine_together, far_from, swap_in
// in paraiso_support. Needs: arithmetic.hpp, reduction.hpp, place.hpp.
//
// Every array of a solver has the same margin around its core and so the same strides: one address
// serves them all. Rows are padded to whole vectors, and core cell 0 of a row is aligned.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "paraiso/support/arithmetic.hpp"
#include "paraiso/support/place.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso_support {

// Lengths are counted as std::int64_t, or as double where that may be too small.

/// The next multiple of `unit` cells, a power of two.
template <class Number>
Number whole_vectors(Number cells, std::int64_t unit) {
  if constexpr (std::is_floating_point_v<Number>)
    return std::ceil(cells / static_cast<Number>(unit)) * static_cast<Number>(unit);
  else
    return (cells + unit - 1) & -unit;
}

/// Cells of an array along one axis, margins and padding included. There is no more padding than
/// needed, because processors also prefetch what lies between two rows. A vector loop may write
/// garbage up to the next whole vector, and no further.
template <class Number>
Number padded_length(int axis, Number cells, Number lower, Number upper, std::int64_t unit) {
  if (axis > 0) return lower + cells + upper;
  return whole_vectors(lower, unit) + whole_vectors(cells + upper, unit);
}

/// The stride for neighbours that are at least `elements` apart: never a multiple of 64, or of 128
/// where all are multiples of 64. So no 8 neighbours agree modulo 4096, where they would share few
/// cache lines and a load would wait for a store to another.
template <class Number>
Number spread(Number elements, std::int64_t unit) {
  const double period = unit < 64 ? 64 : 128;
  return std::fmod(static_cast<double>(elements), period) == 0
             ? elements + static_cast<Number>(unit)
             : elements;
}

/// The elements of an array of such a grid; passes the stride of each axis to `tell`. Rows are
/// whole multiples of `unit` cells, the most that a vector has.
template <class Number, int D, class Tell>
Number lay_out(const std::int64_t (&cells)[D], const std::int64_t (&lower)[D],
               const std::int64_t (&upper)[D], std::int64_t unit, Tell&& tell) {
  Number elements = 1;
  for (int a = 0; a < D; ++a) {
    if (a > 0) elements = spread(elements, unit);
    tell(a, elements);
    elements *= padded_length(a, static_cast<Number>(cells[a]), static_cast<Number>(lower[a]),
                              static_cast<Number>(upper[a]), unit);
  }
  return elements;
}

/// The elements of an array of such a grid, as a double: no size makes it overflow.
template <int D>
double count_elements(const std::int64_t (&cells)[D], const std::int64_t (&lower)[D],
                      const std::int64_t (&upper)[D], std::int64_t unit = 16) {
  return lay_out<double>(cells, lower, upper, unit, [](int, double) {});
}

/// The elements by which an array's storage lies shifted, given cells along each axis; of a grid as
/// in count_elements. Beyond its own elements that many more are allocated.
template <int D>
double count_skew(const std::int64_t (&skew)[D], const std::int64_t (&cells)[D],
                  const std::int64_t (&lower)[D], const std::int64_t (&upper)[D],
                  std::int64_t unit = 16) {
  double elements = 0;
  lay_out<double>(cells, lower, upper, unit,
                  [&](int a, double apart) { elements += static_cast<double>(skew[a]) * apart; });
  return elements;
}

/// The most elements of an array: 2^62 bytes at most, well within 64-bit numbers.
inline constexpr double most_elements = 1LL << 59;

/// One axis of a grid, or of one part of it.
struct Line {
  std::int64_t size, origin, whole;

  Line(std::int64_t cells) : Line(cells, 0, cells) {}
  Line(std::int64_t cells, std::int64_t first, std::int64_t all)
      : size(cells), origin(first), whole(all) {}
  bool divided() const { return size < whole; }
};

/// Of a divided grid this is one part: cells, rows and addresses count from the part's own first
/// cell, which is the whole's cell `origin`.
template <int D>
struct Grid {
  std::int64_t size[D];    // core cells along each axis, each >= 1
  std::int64_t stride[D];  // in elements; stride[0] is 1
  std::int64_t before;     // elements of an array before core cell 0
  std::int64_t elements;   // of a whole array
  std::int64_t origin[D] = {}, whole[D];
  bool cuts_chunks = false;     // of the reduction tree, in the whole grid
  bool items_of_cells = false;  // as in Place
  int beside = 1;               // as in Place
  const Exchange* exchange = nullptr;
  // Bytes of arrays from which on loops store past the caches; -1: what the host's caches say.
  std::int64_t least_streamed = -1;

  /// Throws std::invalid_argument if an axis has no cells, and std::bad_alloc if there are more
  /// than most_elements.
  Grid(const std::int64_t (&cells)[D], const std::int64_t (&lower)[D],
       const std::int64_t (&upper)[D], std::int64_t unit = 16)
      : before(0) {
    for (const std::int64_t n : cells)
      if (n < 1) throw std::invalid_argument("a grid has at least one cell along each axis");
    if (count_elements(cells, lower, upper, unit) > most_elements) throw std::bad_alloc();
    elements = lay_out<std::int64_t>(cells, lower, upper, unit, [&](int a, std::int64_t apart) {
      size[a] = whole[a] = cells[a];
      stride[a] = apart;
      before += (a == 0 ? whole_vectors(lower[0], unit) : lower[a]) * apart;
    });
  }

  /// One part of a grid: `cells` are its own.
  Grid(const std::int64_t (&cells)[D], const Place& place, const std::int64_t (&lower)[D],
       const std::int64_t (&upper)[D], std::int64_t unit = 16)
      : Grid(cells, lower, upper, unit) {
    exchange = place.exchange;
    for (int a = 0; a < D; ++a) {
      origin[a] = place.origin[a];
      whole[a] = place.whole[a];
    }
    cuts_chunks = paraiso_support::cuts_chunks(origin[0], origin[0] + size[0], whole[0]);
    items_of_cells = place.items_of_cells;
    beside = place.beside;
  }

  std::int64_t cells() const {
    std::int64_t count = 1;
    for (const std::int64_t n : size) count *= n;
    return count;
  }
  bool is_divided() const {
    for (int a = 0; a < D; ++a)
      if (size[a] < whole[a]) return true;
    return false;
  }
  /// The width, along axis 0, of ghost cells that loops compute unless another part sends them.
  std::int64_t sent(std::int64_t cells) const { return size[0] < whole[0] ? cells : 0; }
  Line line(int axis) const { return {size[axis], origin[axis], whole[axis]}; }
  /// Waits for the ghost cells that other parts have sent.
  void receive() const {
    if (exchange != nullptr) exchange->receive(exchange->context);
  }

  /// As count_skew, of this grid.
  std::int64_t elements_of(const std::int64_t (&skew)[D]) const {
    std::int64_t sum = 0;
    for (int a = 0; a < D; ++a) sum += skew[a] * stride[a];
    return sum;
  }

  /// The address, relative to core cell 0, where the row of a cell starts; no index for axis 0.
  template <class... Index>
  std::int64_t row(Index... index) const {
    static_assert(sizeof...(Index) == D - 1);
    const std::int64_t cell[] = {0, index...};
    std::int64_t address = 0;
    for (int a = 1; a < D; ++a) address += stride[a] * cell[a];
    return address;
  }

  /// The same for a cell given with its index along axis 0, which is ignored.
  std::int64_t address(const std::int64_t (&cell)[D]) const {
    std::int64_t element = 0;
    for (int a = 1; a < D; ++a) element += stride[a] * cell[a];
    return element;
  }

  /// The address, relative to core cell 0, of the whole grid's cell nearest to `cell` + `offset`.
  /// `cell`: the indices of a ghost cell in the whole grid, then in this part. Beyond a cyclic axis
  /// the two lie further apart than `origin`: what is read is kept there, too.
  std::int64_t nearest(const std::int64_t* cell, const std::int64_t (&offset)[D]) const {
    std::int64_t address = 0;
    for (int a = 0; a < D; ++a) {
      const std::int64_t i = cell[a] + offset[a];
      const std::int64_t inside = i < 0 ? 0 : i >= whole[a] ? whole[a] - 1 : i;
      address += stride[a] * (inside - cell[a] + cell[D + a]);
    }
    return address;
  }
};

/// Chunks of the reduction tree in a row.
template <int D>
std::int64_t row_chunks(const Grid<D>& grid) {
  return (grid.size[0] + chunk_cells - 1) / chunk_cells;
}

/// Whether the order in which cells are combined shows in the bits.
template <class R, class T>
inline constexpr bool is_ordered =
    is_float<T> && !std::is_same_v<R, Min> && !std::is_same_v<R, Max>;

/// Whether a reduction has an item for each cell, or one for each chunk.
template <class R, class T, int D>
bool has_items_of_cells(const Grid<D>& grid) {
  return grid.items_of_cells || (is_ordered<R, T> && grid.cuts_chunks);
}

/// Items of a reduction along axis 0.
template <class R, class T, int D>
std::int64_t row_items(const Grid<D>& grid) {
  return has_items_of_cells<R, T>(grid) ? grid.size[0] : row_chunks(grid);
}

/// The partial results of a reduction, rows one after the other.
template <class R, class T>
class Partials {
 public:
  template <int D>
  explicit Partials(const Grid<D>& grid)
      : items_(
            new T[static_cast<std::size_t>(row_items<R, T>(grid) * grid.cells() / grid.size[0])]) {}
  T* data() { return items_.get(); }
  /// Combines all of them by the fixed tree, and with those of the grid's other parts; `late` as in
  /// Reducing.
  template <int D>
  T combine(const Grid<D>& grid, int late = -1) {
    std::int64_t extents[D];
    for (int a = 0; a < D; ++a) extents[a] = a == 0 ? row_items<R, T>(grid) : grid.size[a];
    if (grid.exchange == nullptr) return combine_axes<R>(items_.get(), extents, D);
    T result{};
    Reducing share = this->share(grid, result, late);
    share.extents = extents;
    grid.exchange->reduce(grid.exchange->context, &share, 1);
    return result;
  }
  /// For combine_together, which knows the extents.
  template <int D>
  Reducing share(const Grid<D>& grid, T& result, int late = -1) {
    const bool of_cells = has_items_of_cells<R, T>(grid);
    return {items_.get(), nullptr,         D,          sizeof(T), is_ordered<R, T>,
            of_cells,     reduce_chunk_at, combine_at, &result,   late};
  }

 private:
  static void reduce_chunk_at(const void* cells, std::int64_t count, void* result) {
    *static_cast<T*>(result) = reduce_chunk<R>(static_cast<const T*>(cells), count);
  }
  static void combine_at(void* items, const std::int64_t* extents, int axes, void* result) {
    *static_cast<T*>(result) = combine_axes<R>(static_cast<T*>(items), extents, axes);
  }

  std::unique_ptr<T[]> items_;
};

/// As Partials::combine, of several reductions at once: other parts send theirs in one message.
template <int D, class... Shares>
void combine_together(const Grid<D>& grid, Shares... shares) {
  std::int64_t of_cells[D], of_chunks[D];
  for (int a = 0; a < D; ++a) of_cells[a] = of_chunks[a] = grid.size[a];
  of_chunks[0] = row_chunks(grid);
  Reducing all[] = {shares...};
  for (Reducing& share : all) {
    share.extents = share.of_cells ? of_cells : of_chunks;
    if (grid.exchange == nullptr) share.tree(share.items, share.extents, D, share.result);
  }
  if (grid.exchange != nullptr)
    grid.exchange->reduce(grid.exchange->context, all, sizeof...(shares));
}

/// The address `offset` elements further, for prefetching only: it may lie far outside the array,
/// so it is computed in integers.
template <class T>
const T* far_from(const T* cells, std::int64_t offset) {
  const auto bytes = static_cast<std::uintptr_t>(offset) * sizeof(T);
  return reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(cells) + bytes);
}

/// Swaps a static's array with a spare one that holds its new value.
template <class T>
void swap_in(T*& array, void*& spare) {
  void* old = array;
  array = static_cast<T*>(spare);
  spare = old;
}

}  // namespace paraiso_support
