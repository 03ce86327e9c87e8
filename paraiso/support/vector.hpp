// Vectors of cells: loops that do not depend on what a compiler makes of them.
// Gives: Vector, Mask, cast, store, LaneCount, neighbour, each_vector and their operators in
// paraiso_support. Needs: arithmetic.hpp.
//
// A Vector<T, L> is L cells of any element but bool: one machine vector where they fit into one,
// else two halves. All values of a loop have the same number of lanes, so that small elements fill
// a part of a machine vector and large ones several. What is done to halves is independent: a
// processor works on one while the other waits for a divide. Every operator means for each lane
// what arithmetic.hpp says for a scalar. Scalars turn into vectors of equal lanes beside a vector.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "paraiso/support/arithmetic.hpp"
#include "paraiso/support/instructions.hpp"
#include "paraiso/support/reduction.hpp"

#define PARAISO_CELLS __attribute__((always_inline))  // of a lambda

namespace paraiso_support {

template <std::size_t bytes>
using Bits = std::conditional_t<
    bytes == 8, std::int64_t,
    std::conditional_t<bytes == 4, std::int32_t,
                       std::conditional_t<bytes == 2, std::int16_t, std::int8_t>>>;
template <class T, int L>
inline constexpr bool is_native = sizeof(T) * L <= vector_bytes;
template <class T, int L>
struct NativeVector {
  typedef T type __attribute__((vector_size(sizeof(T) * L)));
};

template <class T, int L, bool native = is_native<T, L>>
class Vector;

/// A truth in each lane: an integer of so many bytes with all bits set or none. Truths of other
/// sizes, and operators on truths of two sizes, have the smaller one.
template <std::size_t bytes, int L>
struct Mask {
  Vector<Bits<bytes>, L> bits;

  PARAISO_INLINE explicit Mask(Vector<Bits<bytes>, L> lanes) : bits(lanes) {}
  PARAISO_INLINE Mask(bool value) : bits(static_cast<Bits<bytes>>(-Bits<bytes>{value})) {}
};

template <std::size_t to, std::size_t from, int L>
PARAISO_INLINE Mask<to, L> resize(Mask<from, L> x);

/// Two halves.
template <class T, int L, bool native>
class Vector {
 public:
  using Half = Vector<T, L / 2>;
  using Truth = Mask<sizeof(T), L>;
  Half first, second;

  PARAISO_INLINE Vector(Half low, Half high) : first(low), second(high) {}
  PARAISO_INLINE Vector(T value) : first(value), second(value) {}
  PARAISO_INLINE static Vector load(const T* cells) {
    return {Half::load(cells), Half::load(cells + L / 2)};
  }
  PARAISO_INLINE static Vector count_from(T value) {
    return {Half::count_from(value), Half::count_from(paraiso_support::add(value, T{L / 2}))};
  }
  PARAISO_INLINE void store(T* cells) const {
    first.store(cells);
    second.store(cells + L / 2);
  }
  PARAISO_INLINE Half low() const { return first; }
  PARAISO_INLINE Half high() const { return second; }

#define PARAISO_UNARY(name) \
  PARAISO_INLINE friend Vector name(Vector x) { return {name(x.first), name(x.second)}; }
#define PARAISO_BINARY(name)                                   \
  PARAISO_INLINE friend Vector name(Vector x, Vector y) {      \
    return {name(x.first, y.first), name(x.second, y.second)}; \
  }
#define PARAISO_TERNARY(name)                                                     \
  PARAISO_INLINE friend Vector name(Vector x, Vector y, Vector z) {               \
    return {name(x.first, y.first, z.first), name(x.second, y.second, z.second)}; \
  }
#define PARAISO_COMPARISON(op)                                              \
  PARAISO_INLINE friend Truth operator op(Vector x, Vector y) {             \
    return Truth({(x.first op y.first).bits, (x.second op y.second).bits}); \
  }
  PARAISO_UNARY(operator-)
  PARAISO_UNARY(operator~)
  PARAISO_UNARY(neg)
  PARAISO_UNARY(opaque)
  PARAISO_UNARY(inv)
  PARAISO_UNARY(abs)
  PARAISO_UNARY(sqrt)
  PARAISO_UNARY(floor)
  PARAISO_UNARY(ceil)
  PARAISO_BINARY(operator+)
  PARAISO_BINARY(operator-)
  PARAISO_BINARY(operator*)
  PARAISO_BINARY(operator/)
  PARAISO_BINARY(operator&)
  PARAISO_BINARY(operator|)
  PARAISO_BINARY(operator^)
  PARAISO_BINARY(min)
  PARAISO_BINARY(max)
  PARAISO_TERNARY(madd)
  PARAISO_TERNARY(msub)
  PARAISO_TERNARY(nmadd)
  PARAISO_TERNARY(nmsub)
  PARAISO_COMPARISON(==)
  PARAISO_COMPARISON(!=)
  PARAISO_COMPARISON(<)
  PARAISO_COMPARISON(<=)
  PARAISO_COMPARISON(>)
  PARAISO_COMPARISON(>=)
#undef PARAISO_UNARY
#undef PARAISO_BINARY
#undef PARAISO_TERNARY
#undef PARAISO_COMPARISON

  template <std::size_t bytes>
  PARAISO_INLINE friend Vector select(Mask<bytes, L> condition, Vector yes, Vector no) {
    using HalfTruth = typename Half::Truth;
    const auto bits = resize<sizeof(T)>(condition).bits;
    return {select(HalfTruth(bits.first), yes.first, no.first),
            select(HalfTruth(bits.second), yes.second, no.second)};
  }
  PARAISO_INLINE friend Vector select(bool condition, Vector yes, Vector no) {
    return select(Truth(condition), yes, no);
  }
};

/// One machine vector, or a part of one.
template <class T, int L>
class Vector<T, L, true> {
 public:
  using Native = typename NativeVector<T, L>::type;
  using Truth = Mask<sizeof(T), L>;
  using Known = Instructions<T, sizeof(Native)>;
  Native native;

  PARAISO_INLINE Vector(Native value) : native(value) {}
  PARAISO_INLINE Vector(T value) : native(value - Native{}) {}
  PARAISO_INLINE static Vector load(const T* cells) {
    Native value;
    std::memcpy(&value, cells, sizeof value);
    return value;
  }
  /// value, value + 1, ...: each wraps.
  PARAISO_INLINE static Vector count_from(T value) {
    return counted(std::make_integer_sequence<int, L>()) + Vector(value);
  }
  PARAISO_INLINE void store(T* cells) const { std::memcpy(cells, &native, sizeof native); }
  PARAISO_INLINE auto low() const { return part<0>(std::make_integer_sequence<int, L / 2>()); }
  PARAISO_INLINE auto high() const { return part<L / 2>(std::make_integer_sequence<int, L / 2>()); }

  PARAISO_INLINE friend Vector operator-(Vector x) {
    if constexpr (is_float<T>)
      return -x.native;
    else
      return Native(-Wrapping(x.native));
  }
  PARAISO_INLINE friend Vector operator~(Vector x) { return ~x.native; }
  PARAISO_INLINE friend Vector neg(Vector x) {
    if constexpr (is_float<T>)
      return -opaque(x);
    else
      return -x;
  }
  /// As that of a scalar. Less than a register of vectors is taken for a number of its size.
  PARAISO_INLINE friend Vector opaque(Vector x) {
    constexpr std::size_t bytes = sizeof(Native);
#if defined(__x86_64__)
    if constexpr (bytes >= 16) {
      __asm__("" : "+v"(x.native));
      return x;
    }
#elif defined(__aarch64__)
    if constexpr (bytes == 16) {
      __asm__("" : "+w"(x.native));
      return x;
    }
#endif
    if constexpr (bytes < 16) {
      using Number = std::conditional_t<bytes == 8, double,
                                        std::conditional_t<bytes == 4, float, Bits<bytes>>>;
      Number number;
      std::memcpy(&number, &x.native, bytes);
      number = paraiso_support::opaque(number);
      std::memcpy(&x.native, &number, bytes);
    }
    return x;
  }
  PARAISO_INLINE friend Vector operator/(Vector x, Vector y) { return x.native / y.native; }
#define PARAISO_ARITHMETIC(op)                                   \
  PARAISO_INLINE friend Vector operator op(Vector x, Vector y) { \
    return Native(Wrapping(x.native) op Wrapping(y.native));     \
  }
#define PARAISO_COMPARISON(op)                                                           \
  PARAISO_INLINE friend Truth operator op(Vector x, Vector y) {                          \
    return Truth(typename NativeVector<Bits<sizeof(T)>, L>::type(x.native op y.native)); \
  }
  PARAISO_ARITHMETIC(+)
  PARAISO_ARITHMETIC(-)
  PARAISO_ARITHMETIC(*)
  PARAISO_ARITHMETIC(&)
  PARAISO_ARITHMETIC(|)
  PARAISO_ARITHMETIC(^)
  PARAISO_COMPARISON(==)
  PARAISO_COMPARISON(!=)
  PARAISO_COMPARISON(<)
  PARAISO_COMPARISON(<=)
  PARAISO_COMPARISON(>)
  PARAISO_COMPARISON(>=)
#undef PARAISO_ARITHMETIC
#undef PARAISO_COMPARISON
  template <std::size_t bytes>
  PARAISO_INLINE friend Vector select(Mask<bytes, L> condition, Vector yes, Vector no) {
    return resize<sizeof(T)>(condition).bits.native ? yes.native : no.native;
  }
  PARAISO_INLINE friend Vector select(bool condition, Vector yes, Vector no) {
    return select(Truth(condition), yes, no);
  }
  PARAISO_INLINE friend Vector inv(Vector x) { return Vector(T{1}) / x; }
  PARAISO_INLINE friend Vector min(Vector x, Vector y) {
    if constexpr (Known::extremes)
      return Native(Known::min(x.native, y.native));
    else
      return x.native < y.native ? x.native : y.native;
  }
  PARAISO_INLINE friend Vector max(Vector x, Vector y) {
    if constexpr (Known::extremes)
      return Native(Known::max(x.native, y.native));
    else
      return x.native > y.native ? x.native : y.native;
  }
  PARAISO_INLINE friend Vector abs(Vector x) {
    if constexpr (is_float<T>) {
      using Bit = Bits<sizeof(T)>;
      using Word = typename NativeVector<Bit, L>::type;
      return Native(Word(x.native) & std::numeric_limits<Bit>::max());
    } else {
      return select(x < Vector(T{0}), -x, x);
    }
  }
  PARAISO_INLINE friend Vector floor(Vector x) {
    if constexpr (Known::rounding)
      return Native(Known::floor(x.native));
    else
      return x.each([](T value) { return std::floor(value); });
  }
  PARAISO_INLINE friend Vector ceil(Vector x) {
    if constexpr (Known::rounding)
      return Native(Known::ceil(x.native));
    else
      return x.each([](T value) { return std::ceil(value); });
  }
  PARAISO_INLINE friend Vector sqrt(Vector x) {
    if constexpr (Known::rounding)
      return opaque(Vector(Native(Known::sqrt(x.native))));
    else
      return opaque(x.each([](T value) { return std::sqrt(value); }));
  }
#define PARAISO_FUSED(name, lane_by_lane)                           \
  PARAISO_INLINE friend Vector name(Vector x, Vector y, Vector z) { \
    if constexpr (Known::fused)                                     \
      return Native(Known::name(x.native, y.native, z.native));     \
    else                                                            \
      return lane_by_lane;                                          \
  }
  PARAISO_FUSED(madd, multiply_add(x, y, z))
  PARAISO_FUSED(msub, multiply_add(x, y, -z))
  PARAISO_FUSED(nmadd, multiply_add(-x, y, z))
  PARAISO_FUSED(nmsub, multiply_add(-x, y, -z))
#undef PARAISO_FUSED

 private:
  // Integers wrap where they are unsigned.
  template <class Item, bool integer>
  struct Unsigned {
    using type = std::make_unsigned_t<Item>;
  };
  template <class Item>
  struct Unsigned<Item, false> {
    using type = Item;
  };
  using Wrapping =
      typename NativeVector<typename Unsigned<T, std::is_integral_v<T>>::type, L>::type;

  template <int... lane>
  PARAISO_INLINE static Vector counted(std::integer_sequence<int, lane...>) {
    return Native{T{lane}...};
  }
  template <int from, int... lane>
  PARAISO_INLINE Vector<T, L / 2> part(std::integer_sequence<int, lane...>) const {
    return __builtin_shufflevector(native, native, (from + lane)...);
  }
  PARAISO_INLINE static Vector multiply_add(Vector x, Vector y, Vector z) {
    Native result;
    for (int l = 0; l < L; ++l) result[l] = std::fma(x.native[l], y.native[l], z.native[l]);
    return opaque(Vector(result));
  }
  template <class F>
  PARAISO_INLINE Vector each(F&& f) const {
    Native result;
    for (int l = 0; l < L; ++l) result[l] = f(native[l]);
    return result;
  }
};

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

/// Each lane as C++ converts it: not for floats that no integer of `To` is near. Integers are
/// widened and narrowed by one factor of 2 at a time, or by an instruction by name: g++ 12 takes
/// larger steps lane by lane, and splits vectors for small ones.
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
// The one for truths of one size tells compilers not to think of the scalar's template.
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

// --- cells ---

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
/// Lanes [shift, shift + L) of two vectors put one behind the other. By name: of the shuffle g++ 12
/// makes a table look-up, and clang++ 14 one of the intrinsic function, too.
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

/// The cells at a distance from a whole vector of cells at an aligned address: taken out of the two
/// whole vectors that they lie in, where one instruction does that. Neighbours in several distances
/// share these, while a load across two cache lines counts twice: the loops of seven points are 12
/// % faster.
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

/// Calls cells(lanes, i) for the cells from `begin` on until `end` is reached or passed: by as many
/// as N machine vectors of T have as long as there are so many, then by one vector's.
template <class T, int N, class Cells>
PARAISO_INLINE void each_vector(std::int64_t begin, std::int64_t end, Cells&& cells) {
  constexpr int lanes = vector_bytes / sizeof(T);
  std::int64_t i = begin;
  if constexpr (N > 1)
    for (; i + N * lanes <= end; i += N * lanes) cells(LaneCount<N * lanes>(), i);
  for (; i < end; i += lanes) cells(LaneCount<lanes>(), i);
}

}  // namespace paraiso_support
