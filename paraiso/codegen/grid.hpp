// The grid of a generated solver: where cells lie in memory, and how a halo is filled.
// Gives: Grid, Array, Side, fill_halo in paraiso_support. Needs: arithmetic.hpp.
//
// Every array of a solver has the same margin around its core and so the same strides: one address
// serves them all. Rows are padded to whole vectors and core cell 0 of a row is aligned; the bases
// of arrays are staggered, because addresses that agree modulo 4096 collide in the first-level
// cache.
#pragma once

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

#include "paraiso/om/arithmetic.hpp"
#include "paraiso/om/reduction.hpp"

namespace paraiso_support {

inline std::int64_t whole_vectors(std::int64_t cells) { return (cells + 15) / 16 * 16; }

/// Cells of an array along one axis, margins and padding included.
inline std::int64_t padded_length(int axis, std::int64_t cells, std::int64_t lower,
                                  std::int64_t upper) {
  if (axis > 0) return lower + cells + upper;
  const std::int64_t length = whole_vectors(whole_vectors(lower) + cells + upper) + 16;
  return length % 512 == 0 ? length + 16 : length;
}

template <int D>
struct Grid {
  std::int64_t size[D];    // core cells along each axis, each >= 1
  std::int64_t stride[D];  // in elements; stride[0] is 1
  std::int64_t before;     // elements of an array before core cell 0
  std::int64_t elements;   // of a whole array

  Grid(const std::int64_t (&cells)[D], const std::int64_t (&lower)[D],
       const std::int64_t (&upper)[D]) {
    std::int64_t length = 1;
    before = 0;
    for (int a = 0; a < D; ++a) {
      size[a] = cells[a];
      stride[a] = length;
      before += (a == 0 ? whole_vectors(lower[0]) : lower[a]) * length;
      length *= padded_length(a, cells[a], lower[a], upper[a]);
    }
    elements = length;
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

/// The elements of an array of such a grid, as a double: no size makes it overflow.
template <int D>
double count_elements(const std::int64_t (&cells)[D], const std::int64_t (&lower)[D],
                      const std::int64_t (&upper)[D]) {
  double count = 1;
  for (int a = 0; a < D; ++a)
    count *= static_cast<double>(padded_length(a, cells[a], lower[a], upper[a]));
  return count;
}

/// Memory for one array, aligned, zero, of elements of some type of `element_bytes`.
class Array {
 public:
  Array(std::int64_t elements, std::int64_t before, std::size_t element_bytes, int number)
      : memory_(::operator new(bytes(static_cast<std::size_t>(elements), element_bytes),
                               std::align_val_t(alignment))) {
    std::memset(memory_, 0, bytes(static_cast<std::size_t>(elements), element_bytes));
    const std::size_t stagger = static_cast<std::size_t>(number) * 5 * 64 % 4096;
    origin_ =
        static_cast<char*>(memory_) + stagger + static_cast<std::size_t>(before) * element_bytes;
  }
  Array(Array&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), origin_(other.origin_) {}
  Array& operator=(Array&&) = delete;
  ~Array() { ::operator delete(memory_, std::align_val_t(alignment)); }

  void* origin() const { return origin_; }  // core cell 0
  /// Number: std::size_t, or double where the result may be too large for that.
  template <class Number>
  static Number bytes(Number elements, std::size_t element_bytes) {
    return elements * static_cast<Number>(element_bytes) + 2 * 4096;
  }

 private:
  static constexpr std::size_t alignment = 4096;
  void* memory_;
  void* origin_;
};

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
    for (int a = 0; a < D; ++a) extents[a] = a == 0 ? chunks(grid) : grid.size[a];
    return combine_axes<R>(items_.get(), extents, D);
  }
  template <int D>
  static std::int64_t chunks(const Grid<D>& grid) {
    return (grid.size[0] + chunk_cells - 1) / chunk_cells;
  }

 private:
  std::unique_ptr<T[]> items_;
};

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

/// Fills the halo of `axis` over the range that earlier axes have widened. `lower` and `upper` are
/// the array's halo widths; the values are functions of a cell's indices.
template <int D, class T, class LowerValue, class UpperValue>
void fill_axis(T* array, const Grid<D>& grid, int axis, const std::int64_t (&lower)[D],
               const std::int64_t (&upper)[D], Side lower_side, Side upper_side,
               LowerValue&& lower_value, UpperValue&& upper_value) {
  std::int64_t begin[D], end[D], cell[D];
  for (int a = 0; a < D; ++a) {
    begin[a] = a < axis ? -lower[a] : 0;
    end[a] = grid.size[a] + (a < axis ? upper[a] : 0);
  }
  const auto fill_layer = [&](std::int64_t layer) {
    const Source source = resolve(layer, grid.size[axis], lower_side, upper_side);
    begin[axis] = layer;
    end[axis] = layer + 1;
    for (int a = 0; a < D; ++a) cell[a] = begin[a];
    for (;;) {
      std::int64_t row = 0;
      for (int a = 1; a < D; ++a) row += cell[a] * grid.stride[a];
      const std::int64_t from = (source.index - layer) * grid.stride[axis];
      for (std::int64_t i = begin[0]; i < end[0]; ++i) {
        T value;
        if (source.kind == Source::cell) {
          value = array[row + i + from];
        } else {
          cell[0] = i;
          cell[axis] = source.index;
          value = source.kind == Source::lower_value ? lower_value(cell) : upper_value(cell);
          cell[axis] = layer;
        }
        if constexpr (!std::is_same_v<T, bool>)
          if (source.negate) value = neg(value);
        array[row + i] = value;
      }
      int a = 1;
      while (a < D && ++cell[a] == end[a]) {
        cell[a] = begin[a];
        ++a;
      }
      if (a == D) return;
    }
  };
  for (std::int64_t layer = -lower[axis]; layer < 0; ++layer) fill_layer(layer);
  for (std::int64_t layer = 0; layer < upper[axis]; ++layer) fill_layer(grid.size[axis] + layer);
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
