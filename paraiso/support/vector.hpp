// Vectors of cells, written out so that loops do not depend on a compiler's vectorisation.
// Gives: Vector, Mask and the operators of vectors in paraiso_support. Needs: arithmetic.hpp.
//
// A Vector<T, L> is L cells of any element except bool: one machine vector if they fit into one,
// else two halves. All values of a loop have the same number of lanes, so that small elements fill
// a part of a machine vector and large ones several. The halves are independent: a processor works
// on one while the other waits for a division. Every operator does in each lane what arithmetic.hpp
// does to a scalar. A scalar operand next to a vector counts as a vector of equal lanes.
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

/// A truth in each lane: an integer of `bytes` bytes with all bits set or none. Truths of other
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
  /// Like a scalar's. A vector smaller than a vector register is treated as a number of its size.
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
    Native result = z.native;  // or g++ -O1 takes it for uninitialised
    for (int l = 0; l < L; ++l) result[l] = std::fma(x.native[l], y.native[l], z.native[l]);
    return opaque(Vector(result));
  }
  template <class F>
  PARAISO_INLINE Vector each(F&& f) const {
    Native result = native;  // as above
    for (int l = 0; l < L; ++l) result[l] = f(native[l]);
    return result;
  }
};

}  // namespace paraiso_support
