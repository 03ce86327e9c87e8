// Reductions as generated code computes them: chunks of a row by lanes, then trees of partial
// results. Gives: chunk_cells, cuts_chunks, Sum, Product, Min, Max, Any, All, reduce_chunk,
// combine_tree, combine_axes in paraiso_support. Needs: arithmetic.hpp.
//
// One fixed tree gives one result in bits, whoever computes which part of it: a row is cut into
// chunks of 256 cells; within a chunk lane l of 16 combines the cells l, l + 16, ... in ascending
// order; lanes, chunks, rows, planes, ... are then combined by the tree that splits n items at the
// largest power of two below n. Empty lanes are skipped, or hold the identity, which changes no
// bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "paraiso/support/arithmetic.hpp"

namespace paraiso_support {

inline constexpr std::int64_t chunk_cells = 256;
inline constexpr std::int64_t chunk_lanes = 16;

/// Whether a part that has cells [begin, end) of rows has some of a chunk without the others.
inline bool cuts_chunks(std::int64_t begin, std::int64_t end, std::int64_t whole) {
  return begin % chunk_cells != 0 || (end % chunk_cells != 0 && end != whole);
}

struct Sum {
  template <class T>
  static T identity() {
    return is_float<T> ? static_cast<T>(-0.0) : T{0};  // -0 + x is x, also for x = -0
  }
  template <class T>
  static T combine(T x, T y) {
    return add(x, y);
  }
};

struct Product {
  template <class T>
  static T identity() {
    return T{1};
  }
  template <class T>
  static T combine(T x, T y) {
    return mul(x, y);
  }
};

struct Any {
  template <class T>
  static T identity() {
    return T{0};
  }
  template <class T>
  static T combine(T x, T y) {
    return or_(x, y);
  }
};

struct All {
  template <class T>
  static T identity() {
    return T{1};
  }
  template <class T>
  static T combine(T x, T y) {
    return and_(x, y);
  }
};

/// `select` is y where one of the two is NaN; `combine` is NaN there.
struct Min {
  template <class T>
  static T identity() {
    return is_float<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  }
  template <class T>
  static T select(T x, T y) {
    return min(x, y);
  }
  template <class T>
  static T combine(T x, T y) {
    return x == x && y == y ? min(x, y) : add(x, y);
  }
};

struct Max {
  template <class T>
  static T identity() {
    return is_float<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::min();
  }
  template <class T>
  static T select(T x, T y) {
    return max(x, y);
  }
  template <class T>
  static T combine(T x, T y) {
    return x == x && y == y ? max(x, y) : add(x, y);
  }
};

/// Combines `n` >= 1 items in place by the tree that splits at the largest power of two below n,
/// that is, neighbours in pairs, level by level. The items are overwritten.
template <class R, class T>
inline T combine_tree(T* items, std::int64_t n) {
  for (; n > 1; n = (n + 1) / 2) {
    for (std::int64_t i = 0; i < n / 2; ++i) items[i] = R::combine(items[2 * i], items[2 * i + 1]);
    if (n % 2 != 0) items[n / 2] = items[n - 1];
  }
  return items[0];
}

/// combine_tree along each axis in turn, over `extents[0] * extents[1] * ...` items with axis 0
/// fastest: chunks of a row, rows of a plane, planes, ... The items are overwritten.
template <class R, class T>
inline T combine_axes(T* items, const std::int64_t* extents, int axes) {
  std::int64_t count = 1;
  for (int a = 0; a < axes; ++a) count *= extents[a];
  for (int a = 0; a < axes; ++a) {
    count /= extents[a];
    for (std::int64_t i = 0; i < count; ++i)
      items[i] = combine_tree<R>(items + i * extents[a], extents[a]);
  }
  return items[0];
}

/// Integers and bools: any order gives the same bits, so a plain loop, which compilers vectorise.
template <class R, class T>
inline T reduce_integers(const T* cells, std::int64_t n) {
  using Item = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
  Item result = R::template identity<Item>();
  for (std::int64_t i = 0; i < n; ++i) result = R::combine(result, static_cast<Item>(cells[i]));
  return static_cast<T>(result);
}

#if defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

/// The lanes of a chunk as machine vectors. Compilers turn loops over lanes into scalar code when
/// they unroll them first, hence explicit vectors.
template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  static constexpr std::int64_t width = vector_bytes / sizeof(T);
  static constexpr std::int64_t count = chunk_lanes / width;
  Vector vector[count];

  explicit Lanes(T value) {
    for (Vector& v : vector) v = value - Vector{};
  }
  static Vector load(const T* cells) {
    Vector v;
    std::memcpy(&v, cells, sizeof v);
    return v;
  }
  void store(T* items) const { std::memcpy(items, vector, sizeof vector); }
};

/// Sums and products of floats.
template <class R, class T>
inline T reduce_floats(const T* cells, std::int64_t n) {
  using L = Lanes<T>;
  L lanes(R::template identity<T>());
  std::int64_t i = 0;
  for (; i + chunk_lanes <= n; i += chunk_lanes)
    for (std::int64_t v = 0; v < L::count; ++v)
      lanes.vector[v] = R::combine(lanes.vector[v], L::load(cells + i + v * L::width));
  T lane[chunk_lanes];
  lanes.store(lane);
  for (std::int64_t l = 0; i + l < n; ++l) lane[l] = R::combine(lane[l], cells[i + l]);
  return combine_tree<R>(lane, chunk_lanes);
}

/// Min or max of floats. A comparison loses a NaN, so each lane also keeps the last one that it saw
/// (or zero). Adding these makes the result NaN where it has to be, and +0 where it is zero.
template <class R, class T>
inline T reduce_extreme(const T* cells, std::int64_t n) {
  using L = Lanes<T>;
  L lanes(R::template identity<T>()), seen(T{0});
  std::int64_t i = 0;
  for (; i + chunk_lanes <= n; i += chunk_lanes) {
    for (std::int64_t v = 0; v < L::count; ++v) {
      const auto x = L::load(cells + i + v * L::width);
      lanes.vector[v] = R::select(x, lanes.vector[v]);
      seen.vector[v] = x == x ? seen.vector[v] : x;
    }
  }
  T lane[chunk_lanes], nan[chunk_lanes];
  lanes.store(lane);
  seen.store(nan);
  for (std::int64_t l = 0; i + l < n; ++l) lane[l] = R::combine(lane[l], cells[i + l]);
  return combine_tree<R>(lane, chunk_lanes) + combine_tree<Sum>(nan, chunk_lanes);
}

/// The partial result of the `n` (1 to 256) cells of one chunk; `cells` is the chunk's first.
template <class R, class T>
inline T reduce_chunk(const T* cells, std::int64_t n) {
  if constexpr (!is_float<T>)
    return reduce_integers<R>(cells, n);
  else if constexpr (std::is_same_v<R, Min> || std::is_same_v<R, Max>)
    return reduce_extreme<R>(cells, n);
  else
    return reduce_floats<R>(cells, n);
}

}  // namespace paraiso_support
