// The grid of a generated solver: where cells lie in memory, and what goes over all of them.
// Gives: Grid, count_elements, row_chunks, Partials, far_from, swap_in, File in paraiso_support.
// Needs: arithmetic.hpp, reduction.hpp.
//
// Every array of a solver has the same margin around its core and so the same strides: one address
// serves them all. Rows are padded to whole vectors, and core cell 0 of a row is aligned.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "paraiso/support/arithmetic.hpp"
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

/// Cells of an array along one axis, margins and padding included: no more of them than needed, for
/// processors fetch what lies between two rows on their way from one to the other. A vector loop
/// may write garbage up to the next whole vector, and no further.
template <class Number>
Number padded_length(int axis, Number cells, Number lower, Number upper, std::int64_t unit) {
  if (axis > 0) return lower + cells + upper;
  return whole_vectors(lower, unit) + whole_vectors(cells + upper, unit);
}

/// The stride for neighbours that are `elements` apart at least: never a multiple of 64, or of 128
/// where all are multiples of 64, so that no 8 neighbours meet modulo 4096, where they would share
/// few cache lines and a load would wait for a store to another.
template <class Number>
Number spread(Number elements, std::int64_t unit) {
  const double period = unit < 64 ? 64 : 128;
  return std::fmod(static_cast<double>(elements), period) == 0
             ? elements + static_cast<Number>(unit)
             : elements;
}

/// The elements of an array of such a grid; tells the stride of each axis on the way. Rows are
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

/// The most elements of an array: 2^62 bytes at most, far from where 64-bit numbers end.
inline constexpr double most_elements = 1LL << 59;

template <int D>
struct Grid {
  std::int64_t size[D];    // core cells along each axis, each >= 1
  std::int64_t stride[D];  // in elements; stride[0] is 1
  std::int64_t before;     // elements of an array before core cell 0
  std::int64_t elements;   // of a whole array

  /// Throws std::invalid_argument where an axis has no cells, and std::bad_alloc where there are
  /// more than most_elements.
  Grid(const std::int64_t (&cells)[D], const std::int64_t (&lower)[D],
       const std::int64_t (&upper)[D], std::int64_t unit = 16)
      : before(0) {
    for (const std::int64_t n : cells)
      if (n < 1) throw std::invalid_argument("a grid has at least one cell along each axis");
    if (count_elements(cells, lower, upper, unit) > most_elements) throw std::bad_alloc();
    elements = lay_out<std::int64_t>(cells, lower, upper, unit, [&](int a, std::int64_t apart) {
      size[a] = cells[a];
      stride[a] = apart;
      before += (a == 0 ? whole_vectors(lower[0], unit) : lower[a]) * apart;
    });
  }

  std::int64_t cells() const {
    std::int64_t count = 1;
    for (const std::int64_t n : size) count *= n;
    return count;
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

  /// The same of a cell whose index along axis 0 does not count.
  std::int64_t address(const std::int64_t (&cell)[D]) const {
    std::int64_t element = 0;
    for (int a = 1; a < D; ++a) element += stride[a] * cell[a];
    return element;
  }

  /// The address, relative to core cell 0, of the core cell nearest to `cell` + `offset`.
  std::int64_t nearest(const std::int64_t* cell, const std::int64_t (&offset)[D]) const {
    std::int64_t address = 0;
    for (int a = 0; a < D; ++a) {
      const std::int64_t i = cell[a] + offset[a];
      address += stride[a] * (i < 0 ? 0 : i >= size[a] ? size[a] - 1 : i);
    }
    return address;
  }
};

/// Chunks of the reduction tree in a row.
template <int D>
std::int64_t row_chunks(const Grid<D>& grid) {
  return (grid.size[0] + chunk_cells - 1) / chunk_cells;
}

/// The partial results of a reduction, one a chunk of 256 cells, chunks of a row first.
template <class T>
class Partials {
 public:
  explicit Partials(std::int64_t count) : items_(new T[static_cast<std::size_t>(count)]) {}
  T* data() { return items_.get(); }
  /// Combines all of them by the fixed tree.
  template <class R, int D>
  T combine(const Grid<D>& grid) {
    std::int64_t extents[D];
    for (int a = 0; a < D; ++a) extents[a] = a == 0 ? row_chunks(grid) : grid.size[a];
    return combine_axes<R>(items_.get(), extents, D);
  }

 private:
  std::unique_ptr<T[]> items_;
};

/// The address `offset` elements on, which may be that of nothing at all: only to be asked for. It
/// is reckoned in integers, because it may lie far outside the array.
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

/// Plain binary files of the core cells: what `save` writes, `load` reads back.
class File {
 public:
  File(const char* path, std::ios::openmode mode)
      : path_(path), stream_(path, mode | std::ios::binary) {
    check();
  }
  template <class T>
  void write(const T* data, std::int64_t count) {
    stream_.write(reinterpret_cast<const char*>(data),
                  count * static_cast<std::int64_t>(sizeof(T)));
    check();
  }
  template <class T>
  void read(T* data, std::int64_t count) {
    stream_.read(reinterpret_cast<char*>(data), count * static_cast<std::int64_t>(sizeof(T)));
    check();
  }
  /// Calls transfer(row, count) for every row of core cells.
  template <int D, class T, class Transfer>
  static void each_row(const Grid<D>& grid, T* array, Transfer&& transfer) {
    for (std::int64_t r = 0; r < grid.cells() / grid.size[0]; ++r) {
      std::int64_t rest = r, address = 0;
      for (int a = 1; a < D; ++a) {
        address += rest % grid.size[a] * grid.stride[a];
        rest /= grid.size[a];
      }
      transfer(array + address, grid.size[0]);
    }
  }
  void check() {
    if (!stream_) throw std::runtime_error("cannot read or write `" + path_ + "`");
  }
  void finish() {
    stream_.flush();
    check();
  }

 private:
  std::string path_;
  std::fstream stream_;
};

}  // namespace paraiso_support
