// What elementary functions are made of: numbers of two doubles, polynomials, powers of two.
// Gives: Pair and its operations in paraiso_support::elementary. Needs: arithmetic.hpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "paraiso/support/arithmetic.hpp"

namespace paraiso_support {

// --- what a double and a vector of doubles have in common ---

template <class V>
struct IntegerOf;
template <>
struct IntegerOf<double> {
  using type = std::int64_t;
};
template <class V>
using Integer = typename IntegerOf<V>::type;

inline std::int64_t bits_of(double x) {
  std::int64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline double double_of(std::int64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <int digits>
inline std::int64_t shifted_left(std::int64_t x) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << digits);
}
template <int digits>
inline std::int64_t shifted_right(std::int64_t x) {  // fills with zeros
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) >> digits);
}
inline std::int64_t wrapped_sum(std::int64_t x, std::int64_t y) { return add(x, y); }
inline bool any_of(bool truth) { return truth; }

namespace elementary {

// --- pairs ---

/// hi + lo, where lo is at most half an ulp of hi.
template <class V>
struct Pair {
  V hi, lo;
};

/// x + y exactly, where |x| >= |y| or x is 0 (Dekker 1971).
template <class V>
inline Pair<V> fast_sum(V x, V y) {
  const V sum = x + y;
  return {sum, y - (sum - x)};
}
/// x + y exactly (Knuth).
template <class V>
inline Pair<V> exact_sum(V x, V y) {
  const V sum = x + y, part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}
/// x y exactly.
template <class V>
inline Pair<V> exact_product(V x, V y) {
  const V product = x * y;
  return {product, msub(x, y, product)};
}
template <class V>
inline Pair<V> product(Pair<V> x, Pair<V> y) {
  const Pair<V> p = exact_product(x.hi, y.hi);
  return fast_sum(p.hi, madd(x.hi, y.lo, madd(x.lo, y.hi, p.lo)));
}
/// Accurate to about 100 bits.
template <class V>
inline Pair<V> quotient(Pair<V> x, Pair<V> y) {
  const V inverse = V(1.0) / y.hi, q = x.hi * inverse;
  const V rest = nmadd(q, y.hi, x.hi) + nmadd(q, y.lo, x.lo);
  return fast_sum(q, rest * inverse);
}

/// c[0] + c[1] x + c[2] x^2 + ...
template <class V, int N>
inline V polynomial(V x, const double (&c)[N]) {
  V sum(c[N - 1]);
  for (int i = N - 2; i >= 0; --i) sum = madd(sum, x, V(c[i]));
  return sum;
}

/// `magnitude` with the sign of `sign`.
template <class V>
inline V with_sign_of(V magnitude, V sign) {
  const Integer<V> one(std::numeric_limits<std::int64_t>::min());
  return double_of((bits_of(magnitude) & ~one) | (bits_of(sign) & one));
}
template <class V>
inline V negated_if(Integer<V> lowest_digit, V x) {
  return double_of(bits_of(x) ^ shifted_left<63>(lowest_digit));
}

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Added to a number below 2^51, it rounds the number to an integer, in the lowest bits of the sum.
inline constexpr double kRounding = 0x1.8p52;

/// 2^n, where that is a normal number; n is an integer.
template <class V>
inline V power_of_two(V n) {
  return double_of(shifted_left<52>(bits_of(n + V(kRounding + 1023))));
}
/// x 2^n, where the result may be subnormal or too large; |n| < 2000.
template <class V>
inline V scaled(V x, V n) {
  const V half = (n * V(0.5) + V(kRounding)) - V(kRounding);
  return x * power_of_two(half) * power_of_two(n - half);
}

}  // namespace elementary
}  // namespace paraiso_support
