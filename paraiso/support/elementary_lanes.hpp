// Elementary functions on vectors. Gives: exp, log, pow, cbrt, sin, cos, tan, asin, acos, atan,
// atan2, sinh, cosh, tanh of vectors in paraiso_support. Needs: elementary.hpp, vector_cast.hpp.
#pragma once

#include "paraiso/support/elementary.hpp"
#include "paraiso/support/vector_cast.hpp"

namespace paraiso_support {

template <int L>
struct IntegerOf<Vector<double, L>> {
  using type = Vector<std::int64_t, L>;
};
template <int L>
PARAISO_INLINE Vector<std::int64_t, L> bits_of(Vector<double, L> x) {
  if constexpr (is_native<double, L>)
    return typename NativeVector<std::int64_t, L>::type(x.native);
  else
    return {bits_of(x.first), bits_of(x.second)};
}
template <int L>
PARAISO_INLINE Vector<double, L> double_of(Vector<std::int64_t, L> x) {
  if constexpr (is_native<double, L>)
    return typename NativeVector<double, L>::type(x.native);
  else
    return {double_of(x.first), double_of(x.second)};
}
template <int digits, int L>
PARAISO_INLINE Vector<std::int64_t, L> shifted_left(Vector<std::int64_t, L> x) {
  if constexpr (is_native<std::int64_t, L>)
    return typename NativeVector<std::int64_t, L>::type(
        typename NativeVector<std::uint64_t, L>::type(x.native) << digits);
  else
    return {shifted_left<digits>(x.first), shifted_left<digits>(x.second)};
}
template <int digits, int L>
PARAISO_INLINE Vector<std::int64_t, L> shifted_right(Vector<std::int64_t, L> x) {
  if constexpr (is_native<std::int64_t, L>)
    return typename NativeVector<std::int64_t, L>::type(
        typename NativeVector<std::uint64_t, L>::type(x.native) >> digits);
  else
    return {shifted_right<digits>(x.first), shifted_right<digits>(x.second)};
}
template <int L>
PARAISO_INLINE Vector<std::int64_t, L> wrapped_sum(Vector<std::int64_t, L> x,
                                                   Vector<std::int64_t, L> y) {
  return x + y;
}
template <std::size_t bytes, int L>
PARAISO_INLINE bool any_of(Mask<bytes, L> x) {
  if constexpr (is_native<Bits<bytes>, L>) {
    Bits<bytes> all[L];
    x.bits.store(all);
    Bits<bytes> any = 0;
    for (auto one : all) any |= one;
    return any != 0;
  } else {
    return any_of(Mask<bytes, L / 2>(x.bits.first)) || any_of(Mask<bytes, L / 2>(x.bits.second));
  }
}
namespace elementary {

template <int L>
inline void replace_large_angles(Mask<8, L> large, Vector<double, L> x,
                                 Angle<Vector<double, L>>& angle) {
  double cells[L], high[L], low[L];
  std::int64_t quarters[L], truths[L];
  x.store(cells);
  angle.rest.hi.store(high);
  angle.rest.lo.store(low);
  angle.quarters.store(quarters);
  large.bits.store(truths);
  for (int l = 0; l < L; ++l)
    if (truths[l]) {
      const Angle<double> one = reduced_large_angle(cells[l]);
      quarters[l] = one.quarters;
      high[l] = one.rest.hi;
      low[l] = one.rest.lo;
    }
  angle.quarters = Vector<std::int64_t, L>::load(quarters);
  angle.rest = {Vector<double, L>::load(high), Vector<double, L>::load(low)};
}

}  // namespace elementary

#define PARAISO_ELEMENTARY(name)                                 \
  template <int L>                                               \
  inline Vector<double, L> name(Vector<double, L> x) {           \
    return elementary::name(x);                                  \
  }                                                              \
  template <int L>                                               \
  inline Vector<float, L> name(Vector<float, L> x) {             \
    return convert<float>(elementary::name(convert<double>(x))); \
  }
PARAISO_ELEMENTARY(cbrt)
PARAISO_ELEMENTARY(exp)
PARAISO_ELEMENTARY(log)
PARAISO_ELEMENTARY(sin)
PARAISO_ELEMENTARY(cos)
PARAISO_ELEMENTARY(tan)
PARAISO_ELEMENTARY(asin)
PARAISO_ELEMENTARY(acos)
PARAISO_ELEMENTARY(atan)
PARAISO_ELEMENTARY(sinh)
PARAISO_ELEMENTARY(cosh)
PARAISO_ELEMENTARY(tanh)
#undef PARAISO_ELEMENTARY

/// One operand may be a scalar.
#define PARAISO_ELEMENTARY(name)                                                     \
  template <int L>                                                                   \
  inline Vector<double, L> name(Vector<double, L> x, Vector<double, L> y) {          \
    return elementary::name(x, y);                                                   \
  }                                                                                  \
  template <int L>                                                                   \
  inline Vector<float, L> name(Vector<float, L> x, Vector<float, L> y) {             \
    return convert<float>(elementary::name(convert<double>(x), convert<double>(y))); \
  }                                                                                  \
  template <class T, int L>                                                          \
  inline Vector<T, L> name(Vector<T, L> x, T y) {                                    \
    return name(x, Vector<T, L>(y));                                                 \
  }                                                                                  \
  template <class T, int L>                                                          \
  inline Vector<T, L> name(T x, Vector<T, L> y) {                                    \
    return name(Vector<T, L>(x), y);                                                 \
  }
PARAISO_ELEMENTARY(pow)
PARAISO_ELEMENTARY(atan2)
#undef PARAISO_ELEMENTARY

}  // namespace paraiso_support
