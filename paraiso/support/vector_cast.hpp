// Vectors converted, truths of cells, and what is the same for all elements.
// Gives: join, convert, resize, cast, the operators of Mask, signum in paraiso_support.
// Needs: vector.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "paraiso/support/vector.hpp"

namespace paraiso_support {

// --- between elements ---

template <class T, int L, int... lane>
PARAISO_INLINE Vector<T, 2 * L> join(Vector<T, L> low, Vector<T, L> high,
                                     std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(low.native, high.native, lane...);
}
template <class T, int L>
PARAISO_INLINE Vector<T, 2 * L> join(Vector<T, L> low, Vector<T, L> high) {
  if constexpr (is_native<T, 2 * L>)
    return join<T, L>(low, high, std::make_integer_sequence<int, 2 * L>());
  else
    return {low, high};
}

/// Integers of half the size: the lower half of each lane.
template <class To, class From, int L, int... lane>
PARAISO_INLINE Vector<To, L> narrow(Vector<From, L> x, std::integer_sequence<int, lane...>) {
  if constexpr (is_native<From, L>) {
    using Halves = typename NativeVector<To, 2 * L>::type;
    return __builtin_shufflevector(Halves(x.native), Halves(x.native), (2 * lane)...);
  } else {
    using Halves = typename NativeVector<To, L>::type;
    return __builtin_shufflevector(Halves(x.first.native), Halves(x.second.native), (2 * lane)...);
  }
}

/// Converts each lane as C++ does; a float must be within the range of `To`. Integers are widened
/// and narrowed by one factor of 2 at a time, or by an intrinsic function: g++ 12 does larger steps
/// lane by lane, and splits vectors for small ones.
template <class To, class From, int L>
PARAISO_INLINE Vector<To, L> convert(Vector<From, L> x) {
  using Result = typename NativeVector<To, L>::type;
  constexpr bool integers = std::is_integral_v<To> && std::is_integral_v<From>;
  using Known = Conversion<To, From, L>;
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_integral_v<From> && is_float<To> && sizeof(From) < 4)
    return convert<To>(convert<std::int32_t>(x));
  else if constexpr (Known::known)
    return Result(Known::of(x.native));
  else if constexpr (is_float<From> && std::is_integral_v<To> && sizeof(To) < 4)
    return convert<To>(convert<std::int32_t>(x));
  else if constexpr (integers && sizeof(To) > 2 * sizeof(From))
    return convert<To>(convert<Bits<sizeof(To) / 2>>(x));
  else if constexpr (integers && 2 * sizeof(To) < sizeof(From))
    return convert<To>(convert<Bits<sizeof(From) / 2>>(x));
  else if constexpr (integers && sizeof(To) < sizeof(From) && is_native<From, L / 2>)
    return narrow<To>(x, std::make_integer_sequence<int, L>());
  else if constexpr (is_native<From, L> && is_native<To, L>)
    return __builtin_convertvector(x.native, Result);
  else
    return join(convert<To>(x.low()), convert<To>(x.high()));
}

template <std::size_t to, std::size_t from, int L>
PARAISO_INLINE Mask<to, L> resize(Mask<from, L> x) {
  return Mask<to, L>(convert<Bits<to>>(x.bits));
}

// --- truths ---

template <std::size_t bytes, int L>
PARAISO_INLINE Mask<bytes, L> operator!(Mask<bytes, L> x) {
  return Mask<bytes, L>(~x.bits);
}
// The overload for truths of one size spares compilers the template for scalars.
#define PARAISO_LOGIC(name, combined)                                             \
  template <std::size_t bytes, int L>                                             \
  PARAISO_INLINE Mask<bytes, L> name(Mask<bytes, L> left, Mask<bytes, L> right) { \
    const auto x = left.bits, y = right.bits;                                     \
    return Mask<bytes, L>(combined);                                              \
  }                                                                               \
  template <std::size_t a, std::size_t b, int L>                                  \
  PARAISO_INLINE auto name(Mask<a, L> x, Mask<b, L> y) {                          \
    constexpr std::size_t bytes = a < b ? a : b;                                  \
    return name(resize<bytes>(x), resize<bytes>(y));                              \
  }                                                                               \
  template <std::size_t bytes, int L>                                             \
  PARAISO_INLINE Mask<bytes, L> name(Mask<bytes, L> x, bool y) {                  \
    return name(x, Mask<bytes, L>(y));                                            \
  }                                                                               \
  template <std::size_t bytes, int L>                                             \
  PARAISO_INLINE Mask<bytes, L> name(bool x, Mask<bytes, L> y) {                  \
    return name(Mask<bytes, L>(x), y);                                            \
  }
PARAISO_LOGIC(and_, x& y)
PARAISO_LOGIC(or_, x | y)
PARAISO_LOGIC(xor_, x ^ y)
PARAISO_LOGIC(operator==, ~(x ^ y))
PARAISO_LOGIC(operator!=, x ^ y)
#undef PARAISO_LOGIC

template <std::size_t c, std::size_t a, std::size_t b, int L>
PARAISO_INLINE auto select(Mask<c, L> condition, Mask<a, L> yes, Mask<b, L> no) {
  return or_(and_(condition, yes), and_(!condition, no));
}

// --- what is the same for all elements ---

template <class T, int L>
PARAISO_INLINE Vector<T, L> identity(Vector<T, L> x) {
  return x;
}
template <std::size_t bytes, int L>
PARAISO_INLINE Mask<bytes, L> identity(Mask<bytes, L> x) {
  return x;
}
template <class T, int L>
PARAISO_INLINE Vector<T, L> signum(Vector<T, L> x) {
  return select(x > T{0}, Vector<T, L>(T{1}), select(x < T{0}, Vector<T, L>(T{-1}), x));
}

template <class To, class From, int L>
PARAISO_INLINE auto cast(Vector<From, L> x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From{0};
  } else if constexpr (is_float<From> && std::is_integral_v<To>) {
    using limits = std::numeric_limits<To>;
    constexpr From low = static_cast<From>(limits::min());  // see the scalar cast
    const auto inside = and_(x >= low, x < -low);
    const auto truncated = opaque(convert<To>(select(inside, x, From{0})));
    return select(x >= -low, Vector<To, L>(limits::max()),
                  select(x < low, Vector<To, L>(limits::min()), truncated));
  } else {
    return convert<To>(x);
  }
}
template <class To, std::size_t bytes, int L>
PARAISO_INLINE auto cast(Mask<bytes, L> x) {
  if constexpr (std::is_same_v<To, bool>)
    return x;
  else if constexpr (is_float<To>)
    return select(x, Vector<To, L>(To{1}), To{0});
  else
    return -convert<To>(x.bits);
}

}  // namespace paraiso_support
