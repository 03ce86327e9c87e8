// Tiles, and the memory in which a thread works on one.
// Gives: floor_to, ceil_to, smaller, larger, within, Tile, whole_core, Tiles, SplitTiles, Arrival,
// Regions, Window, row_number, reduce_row, Scratch, store, prefetch, part_of_row in
// paraiso_support. Needs: grid.hpp, memory.hpp, vector_cells.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include "paraiso/support/grid.hpp"
#include "paraiso/support/memory.hpp"
#include "paraiso/support/vector_cells.hpp"

namespace paraiso_support {

/// The nearest multiple of N that is not above `value`.
template <std::int64_t N>
inline std::int64_t floor_to(std::int64_t value) {
  static_assert((N & (N - 1)) == 0);
  return value & -N;
}
template <std::int64_t N>
inline std::int64_t ceil_to(std::int64_t value) {
  return floor_to<N>(value + N - 1);
}

inline std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
inline std::int64_t larger(std::int64_t a, std::int64_t b) { return a < b ? b : a; }

inline bool within(std::int64_t value, std::int64_t begin, std::int64_t end) {
  return begin <= value && value < end;
}

/// A box of cells: [begin, end) along each axis.
template <int D>
struct Tile {
  std::int64_t begin[D], end[D];
  std::int64_t slant =
      0;  // of SplitTiles: 1 where its ends move inwards loop by loop, -1: outwards
};

/// The core as one tile.
template <int D>
Tile<D> whole_core(const Grid<D>& grid) {
  Tile<D> tile{};
  for (int a = 0; a < D; ++a) tile.end[a] = grid.size[a];
  return tile;
}

/// Divides a box, the core widened by `lower` and `upper`, into tiles. `shape`: cells along each
/// axis, 0 for all of them, -1 for one tile per thread. Along axis 0 tiles start at multiples of
/// `granule` cells. Cells beyond the core belong to the outermost tiles, which compute cells beyond
/// the grid from those within it.
template <int D>
class Tiles {
 public:
  Tiles(const Grid<D>& grid, const std::int64_t (&lower)[D], const std::int64_t (&upper)[D],
        const std::int64_t (&shape)[D], std::int64_t granule, int threads)
      : Tiles(grid, widened(grid, lower, upper), shape, granule, threads) {}

  /// Divides a part of that box, which starts at a multiple of `granule` or at the box's own begin
  /// along axis 0.
  Tiles(const Grid<D>& grid, const Tile<D>& part, const std::int64_t (&shape)[D],
        std::int64_t granule, int threads) {
    count = 1;
    for (int a = 0; a < D; ++a) {
      begin_[a] = part.begin[a];
      end_[a] = part.end[a];
      first_[a] = part.begin[a] < 0 ? 0 : part.begin[a];
      const std::int64_t cells = (end_[a] < grid.size[a] ? end_[a] : grid.size[a]) - first_[a];
      const std::int64_t unit = a == 0 ? granule : 1;
      const std::int64_t units = cells > 0 ? (cells + unit - 1) / unit : 1;
      length_[a] = unit * (shape[a] > 0    ? (shape[a] + unit - 1) / unit
                           : shape[a] == 0 ? units
                                           : (units + threads - 1) / threads);
      tiles_[a] = cells > 0 ? (cells + length_[a] - 1) / length_[a] : 1;
      count *= begin_[a] < end_[a] ? tiles_[a] : 0;
    }
  }

  Tile<D> operator[](std::int64_t number) const {
    Tile<D> tile;
    for (int a = 0; a < D; ++a) {
      const std::int64_t i = number % tiles_[a];
      number /= tiles_[a];
      tile.begin[a] = i == 0 ? begin_[a] : first_[a] + i * length_[a];
      tile.end[a] = i == tiles_[a] - 1 ? end_[a] : first_[a] + (i + 1) * length_[a];
    }
    return tile;
  }

  std::int64_t count;

 private:
  static Tile<D> widened(const Grid<D>& grid, const std::int64_t (&lower)[D],
                         const std::int64_t (&upper)[D]) {
    Tile<D> box{};
    for (int a = 0; a < D; ++a) {
      box.begin[a] = -lower[a];
      box.end[a] = grid.size[a] + upper[a];
    }
    return box;
  }

  std::int64_t begin_[D], end_[D], first_[D], length_[D], tiles_[D];
};

/// Waits for messages and fills what is made from them.
using Arrival = std::function<void()>;

/// Divides a box, the core widened by `lower` and `upper`, for a part of a divided grid: first, all
/// cells whose reads, as far as `reach`, lie between its inner cuts, maybe none; then the others,
/// which need messages. Of a whole grid all cells come first. `whole_rows`: rows can't be cut.
template <int D>
class Regions {
 public:
  Regions(const Grid<D>& grid, const std::int64_t (&lower)[D], const std::int64_t (&upper)[D],
          const std::int64_t (&reach_lower)[D], const std::int64_t (&reach_upper)[D],
          std::int64_t granule, bool whole_rows)
      : count(1) {
    Tile<D> rest{}, ready{};
    bool none = false;
    for (int a = 0; a < D; ++a) {
      rest.begin[a] = ready.begin[a] = -lower[a];
      rest.end[a] = ready.end[a] = grid.size[a] + upper[a];
      if (grid.exchange == nullptr || grid.size[a] == grid.whole[a]) continue;
      const std::int64_t unit = a == 0 ? granule : 1;
      ready.begin[a] = (reach_lower[a] + unit - 1) / unit * unit;
      ready.end[a] = (grid.size[a] - reach_upper[a]) / unit * unit;
      none = none || ready.begin[a] >= ready.end[a] || (a == 0 && whole_rows);
    }
    regions_[0] = none ? Tile<D>{} : ready;
    for (int a = D; a-- > 0 && !none;) {
      Tile<D> before = rest, after = rest;
      before.end[a] = rest.begin[a] = ready.begin[a];
      after.begin[a] = rest.end[a] = ready.end[a];
      add(before, a);
      add(after, a);
    }
    if (none) regions_[count++] = rest;
  }
  const Tile<D>& operator[](std::int64_t number) const { return regions_[number]; }

  std::int64_t count;

 private:
  void add(const Tile<D>& region, int axis) {
    if (region.begin[axis] < region.end[axis]) regions_[count++] = region;
  }

  Tile<D> regions_[2 * D + 1];
};

/// Divides a box along one axis into tiles whose ends move inwards from loop to loop, by `steepest`
/// cells in all, and the gaps between them into tiles whose ends move outwards. `length`: the least
/// cells of a tile, averaged over its loops, if that leaves a tile for each thread; 0 for all
/// cells, -1 for one tile per thread. The outermost ends lie far outside, so that loops there end
/// where their results end, and cells beyond the core belong to the outermost tiles, as do the
/// cells that they are computed from.
template <int D>
class SplitTiles {
 public:
  SplitTiles(const Grid<D>& grid, const std::int64_t (&lower)[D], const std::int64_t (&upper)[D],
             int axis, std::int64_t length, std::int64_t steepest, int threads)
      : axis_(axis) {
    for (int a = 0; a < D; ++a) {
      box_.begin[a] = -lower[a];
      box_.end[a] = grid.size[a] + upper[a];
    }
    cells_ = grid.size[axis];
    const std::int64_t least = larger(2 * steepest + larger(lower[axis], upper[axis]), 1);
    const std::int64_t most = larger(cells_ / least, 1);
    count = length == 0 ? 1 : threads;
    if (length > 0) count = larger(count, cells_ / (length + steepest));
    count = smaller(count, most);
  }

  Tile<D> shrinking(std::int64_t number) const {
    constexpr std::int64_t far = std::int64_t{1} << 40;
    return between(number == 0 ? -far : border(number),
                   number == count - 1 ? far : border(number + 1), 1);
  }
  /// There is one less of these than of the shrinking ones.
  Tile<D> growing(std::int64_t number) const {
    return between(border(number + 1), border(number + 1), -1);
  }

  std::int64_t count;

 private:
  std::int64_t border(std::int64_t number) const { return cells_ * number / count; }
  Tile<D> between(std::int64_t begin, std::int64_t end, std::int64_t slant) const {
    Tile<D> tile = box_;
    tile.begin[axis_] = begin;
    tile.end[axis_] = end;
    tile.slant = slant;
    return tile;
  }

  int axis_;
  std::int64_t cells_;
  Tile<D> box_;
};

/// The layout of a tile's cells, widened by `lower` and `upper`, in a thread's memory. Along an
/// axis with `lines` > 0 there are only so many rows, planes, ..., used in turn (a rolling buffer).
/// Rows are whole multiples of `unit` cells.
template <int D>
class Window {
 public:
  Window(const Tile<D>& tile, const std::int64_t (&lower)[D], const std::int64_t (&upper)[D],
         const std::int64_t (&lines)[D], std::int64_t unit = 16) {
    begin_[0] = -whole_vectors(lower[0] - tile.begin[0], unit) - unit;
    std::int64_t length = whole_vectors(tile.end[0] + upper[0], unit) + unit - begin_[0];
    if (length % 256 == 0) length += unit;  // rows at multiples of 4096 bytes collide in the cache
    for (int a = 1; a < D; ++a) {
      stride_[a] = length;
      begin_[a] = tile.begin[a] - lower[a];
      lines_[a] = lines[a];
      length *= lines[a] > 0 ? lines[a] : tile.end[a] + upper[a] - begin_[a];
    }
    elements = length;
  }

  /// Where a row starts: the element of its cell 0, without the part of axes that have lines. No
  /// index for axis 0.
  template <class... Index>
  std::int64_t row(Index... index) const {
    static_assert(sizeof...(Index) == D - 1);
    const std::int64_t cell[] = {0, index...};
    std::int64_t element = -begin_[0];
    for (int a = 1; a < D; ++a)
      if (lines_[a] == 0) element += stride_[a] * (cell[a] - begin_[a]);
    return element;
  }
  /// That part for one axis: of the row of a cell with index `i`. A sweep may start before its
  /// first line by less than 2^20 lines.
  std::int64_t line(int axis, std::int64_t i) const {
    return stride_[axis] * ((i - begin_[axis] + (lines_[axis] << 20)) % lines_[axis]);
  }

  /// Where the row of a cell starts, lines included; the index along axis 0 is ignored.
  std::int64_t address(const std::int64_t (&cell)[D]) const {
    std::int64_t element = -begin_[0];
    for (int a = 1; a < D; ++a)
      element += lines_[a] == 0 ? stride_[a] * (cell[a] - begin_[a]) : line(a, cell[a]);
    return element;
  }

  std::int64_t elements;

 private:
  std::int64_t begin_[D], stride_[D], lines_[D];
};

/// The number of a row of core cells, axis 1 fastest.
template <int D, class... Index>
std::int64_t row_number(const Grid<D>& grid, Index... index) {
  static_assert(sizeof...(Index) == D - 1);
  const std::int64_t cell[] = {0, index...};
  std::int64_t row = 0;
  for (int a = D - 1; a > 0; --a) row = row * grid.size[a] + cell[a];
  return row;
}

/// The sum of whole vectors of bytes. One instruction adds eight unsigned bytes: each is shifted by
/// 128 for it.
inline std::int64_t sum_bytes(const std::int8_t* cells, std::int64_t vectors) {
  const auto bytes = vectors * static_cast<std::int64_t>(vector_bytes);
#if defined(__AVX512BW__)
  const __m512i lowest = _mm512_set1_epi8(INT8_MIN);
  __m512i sums = _mm512_setzero_si512();
  for (std::int64_t i = 0; i < bytes; i += sizeof sums) {
    const __m512i above = _mm512_xor_si512(_mm512_loadu_si512(cells + i), lowest);
    sums = _mm512_add_epi64(sums, _mm512_sad_epu8(above, _mm512_setzero_si512()));
  }
#elif defined(__AVX2__)
  const __m256i lowest = _mm256_set1_epi8(INT8_MIN);
  __m256i sums = _mm256_setzero_si256();
  for (std::int64_t i = 0; i < bytes; i += sizeof sums) {
    const auto* const vector = reinterpret_cast<const __m256i*>(cells + i);
    const __m256i above = _mm256_xor_si256(_mm256_loadu_si256(vector), lowest);
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(above, _mm256_setzero_si256()));
  }
#elif defined(__SSE4_1__)
  const __m128i lowest = _mm_set1_epi8(INT8_MIN);
  __m128i sums = _mm_setzero_si128();
  for (std::int64_t i = 0; i < bytes; i += sizeof sums) {
    const auto* const vector = reinterpret_cast<const __m128i*>(cells + i);
    const __m128i above = _mm_xor_si128(_mm_loadu_si128(vector), lowest);
    sums = _mm_add_epi64(sums, _mm_sad_epu8(above, _mm_setzero_si128()));
  }
#endif
#if defined(__SSE4_1__)
  std::int64_t parts[sizeof sums / 8], sum = -128 * bytes;
  std::memcpy(parts, &sums, sizeof parts);
  for (const std::int64_t part : parts) sum += part;
#else
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < bytes; ++i) sum += cells[i];
#endif
  return sum;
}

/// The partial result of a chunk of integers that are stored in fewer bytes than they have.
template <class R, class T, class Cell>
T reduce_kept(const Cell* cells, std::int64_t n) {
  T result = R::template identity<T>();
  std::int64_t i = 0;
  if constexpr (std::is_same_v<R, Sum> && sizeof(Cell) == 1) {
    constexpr std::int64_t lanes = vector_bytes;
    i = n / lanes * lanes;
    result = static_cast<T>(sum_bytes(cells, n / lanes));
  }
  for (; i < n; ++i) result = R::combine(result, static_cast<T>(cells[i]));
  return result;
}

/// The partial results of the cells [begin, end) of the row at `index`, `begin` a chunk's first.
template <class R, class Cell, class T, int D, class... Index>
void reduce_row(const Cell* cells, std::int64_t begin, std::int64_t end, T* partials,
                const Grid<D>& grid, Index... index) {
  partials += row_number(grid, index...) * row_items<R, T>(grid);
  if (has_items_of_cells<R, T>(grid)) {
    if constexpr (std::is_same_v<Cell, T>)
      std::memcpy(partials + begin, cells + begin,
                  static_cast<std::size_t>(end - begin) * sizeof(T));
    else
      for (; begin < end; ++begin) partials[begin] = static_cast<T>(cells[begin]);
    return;
  }
  for (; begin < end; begin += chunk_cells) {
    const std::int64_t n = end - begin < chunk_cells ? end - begin : chunk_cells;
    if constexpr (std::is_same_v<Cell, T>)
      partials[begin / chunk_cells] = reduce_chunk<R>(cells + begin, n);
    else
      partials[begin / chunk_cells] = reduce_kept<R, T>(cells + begin, n);
  }
}

/// A thread's memory while it works on one tile.
class Scratch {
 public:
  explicit Scratch(ScratchMemory& memory) : arena_(memory.arena()) { arena_.reset(); }

  template <class T, int D>
  T* take(const Window<D>& window) {
    return reinterpret_cast<T*>(arena_.take(static_cast<std::size_t>(window.elements) * sizeof(T)));
  }

 private:
  Arena& arena_;
};

/// Stores a vector, past the caches if `streaming`: then its address must be aligned to whole
/// machine vectors.
template <class T, int L>
PARAISO_INLINE void store(T* cells, Vector<T, L> vector, bool streaming) {
  if constexpr (!is_native<T, L>) {
    store(cells, vector.first, streaming);
    store(cells + L / 2, vector.second, streaming);
  } else {
    if constexpr (sizeof vector.native >= 16)
      if (streaming) return store_streaming(cells, vector.native);
    vector.store(cells);
  }
}
template <std::size_t bytes, int L>
PARAISO_INLINE void store(bool* cells, Mask<bytes, L> value, bool /*streaming*/) {
  store(cells, value);
}

/// Prefetches L cells from `offset` on. Processors themselves stop prefetching at the end of a
/// page, which often is the end of a row. With `parts`, prefetches one part of a row; as many loops
/// prefetch the other parts.
template <int parts = 1, class T, int L>
PARAISO_INLINE void prefetch(LaneCount<L>, const T* cells, std::int64_t offset) {
  constexpr int step = parts * (line_bytes / sizeof(T));
  if constexpr (L < step)
    if (offset % step != 0) return;  // the line before serves this vector, too
  for (int i = 0; i < L; i += step) __builtin_prefetch(far_from(cells, (offset + i) / parts), 0, 2);
}

/// Where one of `parts` equal parts of [begin, end) begins, less begin / parts: a loop from `begin`
/// on adds its cell's number divided by `parts`.
template <std::int64_t parts>
std::int64_t part_of_row(std::int64_t part, std::int64_t begin, std::int64_t end) {
  return begin + part * (end - begin) / parts - begin / parts;
}

}  // namespace paraiso_support
