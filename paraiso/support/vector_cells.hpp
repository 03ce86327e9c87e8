// The cells of a loop as vectors: how they are loaded and stored.
// Gives: store, LaneCount, neighbour, each_vector in paraiso_support. Needs: vector_cast.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "paraiso/support/vector_cast.hpp"

namespace paraiso_support {

template <class T, int L>
PARAISO_INLINE void store(T* cells, Vector<T, L> value) {
  value.store(cells);
}
template <std::size_t bytes, int L>
PARAISO_INLINE void store(bool* cells, Mask<bytes, L> value) {
  const auto truths = -resize<1>(value).bits;
  std::memcpy(cells, &truths, sizeof truths);
}

#if defined(__AVX512F__)
/// Lanes [shift, shift + L) of two vectors put one behind the other. By intrinsic function or
/// assembly: g++ 12 turns the shuffle into a table look-up, and so does clang++ 14 with the
/// intrinsic function.
template <int shift, class T, int L>
PARAISO_INLINE Vector<T, L> joined(Vector<T, L> low, Vector<T, L> high) {
  using Native = typename Vector<T, L>::Native;
#if defined(__clang__)
  Native result;
  if constexpr (sizeof(T) == 8)
    __asm__("valignq %3, %2, %1, %0"
            : "=v"(result)
            : "v"(high.native), "v"(low.native), "i"(shift));
  else
    __asm__("valignd %3, %2, %1, %0"
            : "=v"(result)
            : "v"(high.native), "v"(low.native), "i"(shift));
  return result;
#else
  if constexpr (sizeof(T) == 8)
    return Native(
        _mm512_maskz_alignr_epi64(0xff, __m512i(high.native), __m512i(low.native), shift));
  else
    return Native(
        _mm512_maskz_alignr_epi32(0xffff, __m512i(high.native), __m512i(low.native), shift));
#endif
}
#endif

/// How the cells of a loop become vectors of L lanes.
template <int L>
struct LaneCount {
  template <class T>
  PARAISO_INLINE static Vector<T, L> load(const T* cells) {
    return Vector<T, L>::load(cells);
  }
  PARAISO_INLINE static Mask<1, L> load(const bool* cells) {
    return Mask<1, L>(-Vector<std::int8_t, L>::load(reinterpret_cast<const std::int8_t*>(cells)));
  }
  template <class T>
  PARAISO_INLINE static Vector<T, L> fill(T value) {
    return value;
  }
  PARAISO_INLINE static Mask<1, L> fill(bool value) { return value; }
  /// i, i + 1, ...
  PARAISO_INLINE static Vector<std::int64_t, L> count_from(std::int64_t i) {
    return Vector<std::int64_t, L>::count_from(i);
  }
};

/// The cells at a distance from a whole vector of cells at an aligned address, taken out of the two
/// whole vectors that they lie in if one instruction does that. Neighbours at several distances
/// share these vectors, while a load across two cache lines costs two loads: loops of seven points
/// are 12 % faster.
template <int distance, class T, int L>
PARAISO_INLINE auto neighbour(LaneCount<L> lanes, const T* cells) {
  if constexpr (!std::is_same_v<T, bool> && !is_native<T, L>) {
    using Half = LaneCount<L / 2>;
    return Vector<T, L>(neighbour<distance>(Half(), cells),
                        neighbour<distance>(Half(), cells + L / 2));
  } else {
#if defined(__AVX512F__)
    if constexpr (!std::is_same_v<T, bool> && sizeof(T) * L == 64 && sizeof(T) >= 4) {
      constexpr int shift = (distance % L + L) % L;
      const T* const first = cells + (distance - shift);
      if constexpr (shift != 0) return joined<shift>(lanes.load(first), lanes.load(first + L));
    }
#endif
    return lanes.load(cells + distance);
  }
}

/// Calls cells(lanes, i) for the cells from `begin` on until `end` is reached or passed: N machine
/// vectors of T at a time while there are so many cells left, then one vector at a time.
template <class T, int N, class Cells>
PARAISO_INLINE void each_vector(std::int64_t begin, std::int64_t end, Cells&& cells) {
  constexpr int lanes = vector_bytes / sizeof(T);
  std::int64_t i = begin;
  if constexpr (N > 1)
    for (; i + N * lanes <= end; i += N * lanes) cells(LaneCount<N * lanes>(), i);
  for (; i < end; i += lanes) cells(LaneCount<lanes>(), i);
}

}  // namespace paraiso_support
