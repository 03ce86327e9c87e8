// Short vectors of the machine's width, for the references' hand-made forms.
// Gives: Vector, kLanes, load, store, stream, min, max, select, square_root, reciprocal,
// inverse_square_root, shifted_in, shifted_out. Needs: g++ or clang++.
//
// Every function has the same meaning on a plain number, so that one text of a formula serves the
// plain form and the hand-made one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace reference {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class Real>
struct VectorOf {
  typedef Real type __attribute__((vector_size(kVectorBytes)));
  typedef Real unaligned __attribute__((vector_size(kVectorBytes), aligned(sizeof(Real))));
};
template <class Real>
using Vector = typename VectorOf<Real>::type;
template <class Real>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(Real));

/// The element of a vector; a number is its own.
template <class T>
struct ElementOf {
  using type = std::remove_cvref_t<decltype(std::declval<T>()[0])>;
};
template <>
struct ElementOf<float> {
  using type = float;
};
template <>
struct ElementOf<double> {
  using type = double;
};
template <class T>
using Element = typename ElementOf<T>::type;

template <class T>
concept NumberOrVector = std::is_arithmetic_v<T> || std::is_same_v<T, Vector<Element<T>>>;

/// The address needs no alignment.
template <NumberOrVector T>
[[gnu::always_inline]] inline T load(const Element<T>* from) {
  if constexpr (std::is_arithmetic_v<T>)
    return *from;
  else
    return *reinterpret_cast<const typename VectorOf<Element<T>>::unaligned*>(from);
}

template <class T>
[[gnu::always_inline]] inline void store(Element<T>* to, const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    *to = value;
  else
    *reinterpret_cast<typename VectorOf<Element<T>>::unaligned*>(to) = value;
}

/// A store that goes past the caches; the address is a multiple of the vector's bytes.
template <class T>
[[gnu::always_inline]] inline void stream(Element<T>* to, const T& value) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<const __m512i&>(value));
#elif defined(__AVX__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<const __m256i&>(value));
#elif defined(__SSE2__)
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<const __m128i&>(value));
#else
  store(to, value);
#endif
}

/// Streamed stores are weakly ordered: this comes before another thread may read them.
inline void finish_streaming() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

template <class T>
[[gnu::always_inline]] inline T min(const T& a, const T& b) {
  return a < b ? a : b;
}
template <class T>
[[gnu::always_inline]] inline T max(const T& a, const T& b) {
  return a > b ? a : b;
}
template <class Mask, class T>
[[gnu::always_inline]] inline T select(const Mask& condition, const T& yes, const T& no) {
  return condition ? yes : no;
}
template <class T>
[[gnu::always_inline]] inline T absolute(const T& a) {
  return max(a, -a);
}

template <class T>
[[gnu::always_inline]] inline T square_root(const T& a) {
  if constexpr (std::is_arithmetic_v<T>) {
    return std::sqrt(a);
  } else {
    T root;
    for (int lane = 0; lane < kLanes<Element<T>>; ++lane) root[lane] = std::sqrt(a[lane]);
    return root;
  }
}

/// 1 / a from the machine's estimate of 14 bits and two steps of Newton's iteration, to an unit in
/// the last place: it leaves the divider free for others. For normal numbers only.
template <class T>
[[gnu::always_inline]] inline T reciprocal(const T& a) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<T, Vector<double>>) {
    const T first = _mm512_maskz_rcp14_pd(0xff, a);
    const T error = 1 - a * first;
    const T second = first + first * error;
    return second + second * (error * error);
  } else if constexpr (std::is_same_v<T, Vector<float>>) {
    const T first = _mm512_maskz_rcp14_ps(0xffff, a);
    return first + first * (1 - a * first);
  } else {
    return 1 / a;
  }
#else
  return 1 / a;
#endif
}

/// 1 / sqrt(a) in the same way.
template <class T>
[[gnu::always_inline]] inline T inverse_square_root(const T& a) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<T, Vector<double>>) {
    const T first = _mm512_maskz_rsqrt14_pd(0xff, a);
    const T error = 1 - a * first * first;
    const T second = first + first * error * (0.5 + 0.375 * error);
    return second + second * (0.5 * (1 - a * second * second));
  } else if constexpr (std::is_same_v<T, Vector<float>>) {
    const T first = _mm512_maskz_rsqrt14_ps(0xffff, a);
    return first + first * (0.5F * (1 - a * first * first));
  } else {
    return 1 / square_root(a);
  }
#else
  return 1 / square_root(a);
#endif
}

namespace detail {
template <class T, std::size_t... Lane>
[[gnu::always_inline]] inline T shifted_in(const T& before, const T& now,
                                           std::index_sequence<Lane...>) {
  return __builtin_shufflevector(before, now, (static_cast<int>(sizeof...(Lane) + Lane) - 1)...);
}
template <class T, std::size_t... Lane>
[[gnu::always_inline]] inline T shifted_out(const T& now, const T& after,
                                            std::index_sequence<Lane...>) {
  return __builtin_shufflevector(now, after, (static_cast<int>(Lane) + 1)...);
}
}  // namespace detail

/// Each lane of `now` moved up by one; the lowest is the highest of `before`.
template <class T>
[[gnu::always_inline]] inline T shifted_in(const T& before, const T& now) {
  return detail::shifted_in(before, now, std::make_index_sequence<kLanes<Element<T>>>());
}

/// Each lane of `now` moved down by one; the highest is the lowest of `after`.
template <class T>
[[gnu::always_inline]] inline T shifted_out(const T& now, const T& after) {
  return detail::shifted_out(now, after, std::make_index_sequence<kLanes<Element<T>>>());
}

template <class T>
[[nodiscard]] Element<T> smallest_lane(const T& values) {
  Element<T> smallest = values[0];
  for (int lane = 1; lane < kLanes<Element<T>>; ++lane) smallest = std::min(smallest, values[lane]);
  return smallest;
}
}  // namespace reference
