// Vectors of floats: loops that do not depend on what a compiler makes of them.
// Gives: Vector, Mask, store, each_vector and their operators in paraiso_support. Needs: arithmetic.hpp.
//
// A Vector<T, 1> is one machine vector, a Vector<T, 2 n> two of Vector<T, n>: what is done to both
// halves is independent, so that a processor works on one while the other waits for a divide. Every
// operator means for each lane what arithmetic.hpp says for a scalar. Scalars turn into vectors of
// equal lanes where one is needed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "paraiso/om/arithmetic.hpp"
#include "paraiso/om/reduction.hpp"

#define PARAISO_INLINE [[gnu::always_inline]] inline
#define PARAISO_CELLS __attribute__((always_inline))  // of a lambda

namespace paraiso_support {

/// The machine's vector of T.
template <class T>
struct MachineVector {
  typedef T type __attribute__((vector_size(vector_bytes)));
};
template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

/// The truth of a comparison in each lane: all bits set or none.
template <class T, int N>
struct Mask {
  Mask<T, N / 2> first, second;
};
template <class T>
struct Mask<T, 1> {
  using Native = typename MachineVector<Bits<T>>::type;
  Native native;
};

template <class T, int N>
class Vector {
 public:
  using Half = Vector<T, N / 2>;
  static constexpr std::int64_t lanes = 2 * Half::lanes;
  Half first, second;

  PARAISO_INLINE Vector(Half low, Half high) : first(low), second(high) {}
  PARAISO_INLINE Vector(T value) : first(value), second(value) {}
  PARAISO_INLINE static Vector load(const T* cells) {
    return {Half::load(cells), Half::load(cells + Half::lanes)};
  }
  PARAISO_INLINE void store(T* cells) const {
    first.store(cells);
    second.store(cells + Half::lanes);
  }

#define PARAISO_UNARY(name) \
  PARAISO_INLINE friend Vector name(Vector x) { return {name(x.first), name(x.second)}; }
#define PARAISO_BINARY(name)                                  \
  PARAISO_INLINE friend Vector name(Vector x, Vector y) {     \
    return {name(x.first, y.first), name(x.second, y.second)}; \
  }
#define PARAISO_TERNARY(name)                                                     \
  PARAISO_INLINE friend Vector name(Vector x, Vector y, Vector z) {               \
    return {name(x.first, y.first, z.first), name(x.second, y.second, z.second)}; \
  }
#define PARAISO_COMPARISON(op)                                     \
  PARAISO_INLINE friend Mask<T, N> operator op(Vector x, Vector y) { \
    return {x.first op y.first, x.second op y.second};             \
  }
  PARAISO_UNARY(operator-)
  PARAISO_UNARY(identity)
  PARAISO_UNARY(inv)
  PARAISO_UNARY(abs)
  PARAISO_UNARY(signum)
  PARAISO_UNARY(sqrt)
  PARAISO_UNARY(floor)
  PARAISO_UNARY(ceil)
  PARAISO_BINARY(operator+)
  PARAISO_BINARY(operator-)
  PARAISO_BINARY(operator*)
  PARAISO_BINARY(operator/)
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
  PARAISO_INLINE friend Vector select(Mask<T, N> condition, Vector yes, Vector no) {
    return {select(condition.first, yes.first, no.first),
            select(condition.second, yes.second, no.second)};
  }
#undef PARAISO_UNARY
#undef PARAISO_BINARY
#undef PARAISO_TERNARY
#undef PARAISO_COMPARISON
};

template <class T>
class Vector<T, 1> {
 public:
  using Native = typename MachineVector<T>::type;
  static constexpr std::int64_t lanes = vector_bytes / sizeof(T);
  Native native;

  PARAISO_INLINE Vector(Native value) : native(value) {}
  PARAISO_INLINE Vector(T value) : native(value - Native{}) {}
  PARAISO_INLINE static Vector load(const T* cells) {
    Native value;
    std::memcpy(&value, cells, sizeof value);
    return value;
  }
  PARAISO_INLINE void store(T* cells) const { std::memcpy(cells, &native, sizeof native); }

  PARAISO_INLINE friend Vector operator-(Vector x) { return -x.native; }
  PARAISO_INLINE friend Vector operator+(Vector x, Vector y) { return x.native + y.native; }
  PARAISO_INLINE friend Vector operator-(Vector x, Vector y) { return x.native - y.native; }
  PARAISO_INLINE friend Vector operator*(Vector x, Vector y) { return x.native * y.native; }
  PARAISO_INLINE friend Vector operator/(Vector x, Vector y) { return x.native / y.native; }
  PARAISO_INLINE friend Mask<T, 1> operator==(Vector x, Vector y) { return {x.native == y.native}; }
  PARAISO_INLINE friend Mask<T, 1> operator!=(Vector x, Vector y) { return {x.native != y.native}; }
  PARAISO_INLINE friend Mask<T, 1> operator<(Vector x, Vector y) { return {x.native < y.native}; }
  PARAISO_INLINE friend Mask<T, 1> operator<=(Vector x, Vector y) { return {x.native <= y.native}; }
  PARAISO_INLINE friend Mask<T, 1> operator>(Vector x, Vector y) { return {x.native > y.native}; }
  PARAISO_INLINE friend Mask<T, 1> operator>=(Vector x, Vector y) { return {x.native >= y.native}; }
  PARAISO_INLINE friend Vector select(Mask<T, 1> condition, Vector yes, Vector no) {
    return condition.native ? yes.native : no.native;
  }
  PARAISO_INLINE friend Vector identity(Vector x) { return x; }
  PARAISO_INLINE friend Vector inv(Vector x) { return Vector(T{1}) / x; }
  PARAISO_INLINE friend Vector min(Vector x, Vector y) {
    return x.native < y.native ? x.native : y.native;
  }
  PARAISO_INLINE friend Vector max(Vector x, Vector y) {
    return x.native > y.native ? x.native : y.native;
  }
  PARAISO_INLINE friend Vector abs(Vector x) {
    typename Mask<T, 1>::Native bits;
    std::memcpy(&bits, &x.native, sizeof bits);
    bits &= std::numeric_limits<Bits<T>>::max();
    std::memcpy(&x.native, &bits, sizeof bits);
    return x;
  }
  PARAISO_INLINE friend Vector signum(Vector x) {
    const Vector zero(T{0});
    return select(x > zero, Vector(T{1}), select(x < zero, Vector(T{-1}), x));
  }
  PARAISO_INLINE friend Vector floor(Vector x) {
    return x.each([](T value) { return std::floor(value); });
  }
  PARAISO_INLINE friend Vector ceil(Vector x) {
    return x.each([](T value) { return std::ceil(value); });
  }
#if defined(__AVX512F__)
// g++ 12 warns of the undefined operand in _mm512_sqrt_pd, hence the masks.
#define PARAISO_INTRINSIC(name, parameters, on_double, on_float)   \
  PARAISO_INLINE friend Vector name parameters {                   \
    if constexpr (std::is_same_v<T, double>)                       \
      return Native(on_double);                                    \
    else                                                           \
      return Native(on_float);                                     \
  }
#define PARAISO_FUSED(name, intrinsic)                                            \
  PARAISO_INTRINSIC(name, (Vector x, Vector y, Vector z),                         \
                    _mm512_##intrinsic##_pd(x.native, y.native, z.native),        \
                    _mm512_##intrinsic##_ps(x.native, y.native, z.native))
  PARAISO_INTRINSIC(sqrt, (Vector x), _mm512_maskz_sqrt_pd(0xff, x.native),
                    _mm512_maskz_sqrt_ps(0xffff, x.native))
  PARAISO_FUSED(madd, fmadd)
  PARAISO_FUSED(msub, fmsub)
  PARAISO_FUSED(nmadd, fnmadd)
  PARAISO_FUSED(nmsub, fnmsub)
#undef PARAISO_FUSED
#undef PARAISO_INTRINSIC
#else
  PARAISO_INLINE friend Vector sqrt(Vector x) {
    return x.each([](T value) { return std::sqrt(value); });
  }
  PARAISO_INLINE friend Vector madd(Vector x, Vector y, Vector z) {
    Native result;
    for (std::int64_t l = 0; l < lanes; ++l)
      result[l] = std::fma(x.native[l], y.native[l], z.native[l]);
    return result;
  }
  PARAISO_INLINE friend Vector msub(Vector x, Vector y, Vector z) { return madd(x, y, -z); }
  PARAISO_INLINE friend Vector nmadd(Vector x, Vector y, Vector z) { return madd(-x, y, z); }
  PARAISO_INLINE friend Vector nmsub(Vector x, Vector y, Vector z) { return madd(-x, y, -z); }
#endif

 private:
  template <class F>
  PARAISO_INLINE Vector each(F&& f) const {
    Native result;
    for (std::int64_t l = 0; l < lanes; ++l) result[l] = f(native[l]);
    return result;
  }
};

template <class T, int N>
PARAISO_INLINE Mask<T, N> operator!(Mask<T, N> x) {
  if constexpr (N == 1)
    return {~x.native};
  else
    return {!x.first, !x.second};
}
#define PARAISO_LOGIC(name, op)                                       \
  template <class T, int N>                                           \
  PARAISO_INLINE Mask<T, N> name(Mask<T, N> x, Mask<T, N> y) {        \
    if constexpr (N == 1)                                             \
      return {x.native op y.native};                                  \
    else                                                              \
      return {name(x.first, y.first), name(x.second, y.second)};      \
  }
PARAISO_LOGIC(and_, &)
PARAISO_LOGIC(or_, |)
PARAISO_LOGIC(xor_, ^)
PARAISO_LOGIC(operator==, ==)
PARAISO_LOGIC(operator!=, !=)
#undef PARAISO_LOGIC

template <class T, int N>
PARAISO_INLINE void store(T* cells, Vector<T, N> value) {
  value.store(cells);
}

/// Calls cells(vector, i) for vectors of cells from `begin` on until `end` is reached or passed: by
/// N machine vectors as long as there are so many, then by one. `vector` only tells its type.
template <class T, int N, class Cells>
PARAISO_INLINE void each_vector(std::int64_t begin, std::int64_t end, Cells&& cells) {
  std::int64_t i = begin;
  if constexpr (N > 1)
    for (; i + Vector<T, N>::lanes <= end; i += Vector<T, N>::lanes) cells(Vector<T, N>(T{0}), i);
  for (; i < end; i += Vector<T, 1>::lanes) cells(Vector<T, 1>(T{0}), i);
}

}  // namespace paraiso_support
