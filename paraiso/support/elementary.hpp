// Elementary functions with the same bits on every host and device: exp, log, pow, cbrt, sin, cos,
// tan, asin, acos, atan, atan2, sinh, cosh, tanh, at most 1 ulp from the true value.
// Gives: these on doubles and vectors of them, in paraiso_support::elementary. Needs:
// arithmetic.hpp.
//
// They are made of IEEE additions, products, quotients, roots and explicit fused multiply-adds, in
// one fixed order, without tables. The only branch is for angles beyond 2^30. So a loop of them is
// computed in vectors, and every compiler and device gets the same bits. `V` is double or
// Vector<double, L>; floats are computed as doubles and rounded at the end.
//
// A value that needs more digits than a double has is a Pair, the unevaluated sum of two doubles.
// Polynomials are Chebyshev fits, made with 300 bits, of the functions named beside them.
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
inline std::int64_t shifted_right(std::int64_t x) {  // zeros come in
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
/// To some 100 bits.
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

/// Added to a number below 2^51, it rounds it to an integer, which its lowest digits are.
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

// --- exponentials ---

/// exp(x) = 2^n (1 + above.hi + above.lo).
template <class V>
struct Exponential {
  V n;
  Pair<V> above;
};

/// |x.hi| < 1500.
template <class V>
inline Exponential<V> exponential(Pair<V> x) {
  constexpr double coefficients[] = {// (exp(r) - 1 - r) / r^2
                                     0.5,
                                     0.1666666666666667,
                                     0.04166666666666667,
                                     0.008333333333326084,
                                     0.0013888888888883711,
                                     0.0001984126987500228,
                                     2.480158732567746e-05,
                                     2.755725517000089e-06,
                                     2.755727347871858e-07,
                                     2.5105312729622103e-08,
                                     2.09147553258932e-09};
  const V n = madd(x.hi, V(1.4426950408889634), V(kRounding)) - V(kRounding);
  const V first = nmadd(n, V(0.693147180559663), x.hi);  // exact
  const V second = nmadd(n, V(2.8235290563031577e-13), x.lo);
  const Pair<V> r = exact_sum(first, second);
  return {n, fast_sum(r.hi, madd(r.hi * r.hi, polynomial(r.hi, coefficients), r.lo))};
}

template <class V>
inline V exponential_value(Pair<V> x) {
  const Exponential<V> e = exponential(x);
  const Pair<V> sum = fast_sum(V(1.0), e.above.hi);
  return scaled(sum.hi + (sum.lo + e.above.lo), e.n);
}

/// exp(x) 2^more, where |x| < 1500.
template <class V>
inline Pair<V> scaled_exponential(V x, double more) {
  const Exponential<V> e = exponential(Pair<V>{x, V(0.0)});
  const Pair<V> sum = fast_sum(V(1.0), e.above.hi);
  const V scale = power_of_two(e.n + V(more));
  return {sum.hi * scale, (sum.lo + e.above.lo) * scale};
}

/// exp(x) - 1, where |x| < 700.
template <class V>
inline Pair<V> exponential_minus_one(V x) {
  const Exponential<V> e = exponential(Pair<V>{x, V(0.0)});
  const V scale = power_of_two(e.n);
  const Pair<V> powers = exact_sum(scale, V(-1.0));
  const Pair<V> sum = exact_sum(powers.hi, e.above.hi * scale);
  return fast_sum(sum.hi, sum.lo + (powers.lo + e.above.lo * scale));
}

template <class V>
inline V exp(V x) {
  const V inside = min(max(x, V(-800.0)), V(800.0));
  return select(x == x, exponential_value(Pair<V>{inside, V(0.0)}), x);
}

template <class V>
inline V sinh(V x) {
  const V size = abs(x);
  const Pair<V> e = exponential_minus_one(min(size, V(40.0)));
  const Pair<V> one_more = exact_sum(e.hi, V(1.0));
  const Pair<V> q = quotient(e, Pair<V>{one_more.hi, one_more.lo + e.lo});
  const Pair<V> sum = exact_sum(e.hi, q.hi);
  const V small = V(0.5) * (sum.hi + (sum.lo + (e.lo + q.lo)));
  const Exponential<V> half = exponential(Pair<V>{min(size, V(800.0)), V(0.0)});
  const V large = scaled(V(1.0) + (half.above.hi + half.above.lo), half.n - V(1.0));
  const V result = with_sign_of(select(size < V(40.0), small, large), x);
  return select(x == x, result, x);
}

template <class V>
inline V cosh(V x) {
  const V size = min(abs(x), V(800.0));
  const Exponential<V> e = exponential(Pair<V>{size, V(0.0)});
  const Pair<V> sum = fast_sum(V(1.0), e.above.hi);
  const Pair<V> growing{sum.hi, sum.lo + e.above.lo};
  const Pair<V> inverse = quotient(Pair<V>{V(1.0), V(0.0)}, growing);
  // (2^n g + 2^-n / g) / 2 = 2^(n-1) (g + 4^-n / g)
  const V scale = power_of_two(max(V(-2.0) * e.n, V(-200.0)));
  const Pair<V> all = fast_sum(growing.hi, inverse.hi * scale);
  const V result = scaled(all.hi + (all.lo + (growing.lo + inverse.lo * scale)), e.n - V(1.0));
  return select(x == x, result, x);
}

template <class V>
inline V tanh(V x) {
  const V size = min(abs(x), V(25.0));
  const Pair<V> e = exponential_minus_one(V(2.0) * size);
  const Pair<V> two_more = exact_sum(e.hi, V(2.0));
  const Pair<V> q = quotient(e, Pair<V>{two_more.hi, two_more.lo + e.lo});
  return select(x == x, with_sign_of(q.hi + q.lo, x), x);
}

// --- logarithm, powers ---

/// Of a positive number: fraction 2^exponent.
template <class V>
struct Parts {
  V fraction, exponent;
};
/// Added to a number's digits, it makes their exponent that of the nearest power of two: fractions
/// are then in [1 / sqrt 2, sqrt 2). With 0 in its place they are in [1, 2).
inline constexpr std::int64_t kNearestPower = 0x0009'5f61'9980'c433;
template <class V>
inline Parts<V> parts_of(V x, std::int64_t rounding) {
  const auto subnormal = x < V(std::numeric_limits<double>::min());
  const Integer<V> bits = bits_of(select(subnormal, x * V(0x1p54), x));
  const Integer<V> exponent = shifted_right<52>(wrapped_sum(bits, Integer<V>(rounding)));
  const V biased = double_of(exponent | bits_of(V(0x1p52))) - V(0x1p52);
  const Integer<V> fraction =
      wrapped_sum(bits, wrapped_sum(~shifted_left<52>(exponent), Integer<V>(bits_of(1.0) + 1)));
  return {double_of(fraction), biased - select(subnormal, V(1023.0 + 54), V(1023.0))};
}

/// (log((1 + s) / (1 - s)) - 2 s - (2 / 3) s^3 - (2 / 5) s^5) / s^7, of s^2.
inline constexpr double kLogarithm[] = {
    0.2857142857142857,  0.22222222222222954, 0.18181818181297815, 0.15384615525594558,
    0.13333314603562116, 0.11766054036589604, 0.1047279499544745,  0.10618193945898602};

/// The natural logarithm of a positive finite number, to some 66 bits.
template <class V>
inline Pair<V> logarithm(V x) {
  const Parts<V> parts = parts_of(x, kNearestPower);
  // With s = f / (2 + f), log(1 + f) = 2 s + (2 / 3) s^3 + (2 / 5) s^5 + ...
  const V f = parts.fraction - V(1.0);
  const Pair<V> s = quotient(Pair<V>{f, V(0.0)}, fast_sum(V(2.0), f));
  const Pair<V> z = product(s, s);
  const V rest = z.hi * madd(z.hi, polynomial(z.hi, kLogarithm), V(0.4));
  const Pair<V> third = fast_sum(V(0.6666666666666666), rest);
  const Pair<V> bend =
      product(product(z, Pair<V>{third.hi, third.lo + V(3.700743415417188e-17)}), s);
  const Pair<V> large = exact_sum(parts.exponent * V(0.693147180559663), V(2.0) * s.hi);
  const Pair<V> sum = fast_sum(large.hi, bend.hi);
  const V low =
      (large.lo + V(2.0) * s.lo) + madd(parts.exponent, V(2.8235290563031577e-13), bend.lo);
  const Pair<V> all = exact_sum(sum.lo, low);
  const Pair<V> result = fast_sum(sum.hi, all.hi);
  return {result.hi, result.lo + all.lo};
}

/// Where a few digits more than a double's are enough.
template <class V>
inline V log(V x) {
  const Parts<V> parts = parts_of(x, kNearestPower);
  const V f = parts.fraction - V(1.0);
  const V s = f / (V(2.0) + f), z = s * s;
  // log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + (2 / 3) s^2 + (2 / 5) s^4 + ...)
  const V bend = z * madd(z, madd(z, polynomial(z, kLogarithm), V(0.4)), V(0.6666666666666666));
  const Pair<V> square = exact_product(V(0.5) * f, f);
  const Pair<V> line = fast_sum(f, -square.hi);
  const Pair<V> sum = exact_sum(parts.exponent * V(0.693147180559663), line.hi);
  const V low = madd(s, square.hi + bend,
                     madd(parts.exponent, V(2.8235290563031577e-13), line.lo - square.lo));
  V result = sum.hi + (sum.lo + low);
  result = select(x < V(kInfinity), result, x);  // infinity and NaN
  const V none = select(x == V(0.0), V(-kInfinity), select(x == x, V(kNan), x));
  return select(x > V(0.0), result, none);
}

template <class V>
inline V pow(V x, V y) {
  const V size = abs(x);
  const Pair<V> log = logarithm(size);
  const V high = y * log.hi;
  const V inside = min(max(high, V(-800.0)), V(800.0));
  const V low = madd(y, log.lo, msub(y, log.hi, high));
  V result = exponential_value(Pair<V>{inside, select(inside == high, low, V(0.0))});
  // What exp and log say is right for positive finite numbers.
  const V whole = floor(y);
  const auto integral = whole == y;
  const V half = V(0.5) * y;
  const auto odd = and_(integral, floor(half) != half);
  const auto grows = and_(size > V(1.0), y > V(0.0));
  const auto grows_too = and_(size < V(1.0), y < V(0.0));
  const V limit = select(or_(grows, grows_too), V(kInfinity), V(0.0));
  const auto at_end = or_(or_(size == V(0.0), size == V(kInfinity)), abs(y) == V(kInfinity));
  result = select(at_end, limit, result);
  result = select(x < V(0.0), select(integral, result, select(at_end, result, V(kNan))), result);
  const auto negative = and_(bits_of(x) < Integer<V>(0), odd);
  result = select(negative, neg(result), result);
  result = select(x == x, select(y == y, result, y), x);
  return select(or_(y == V(0.0), or_(x == V(1.0), and_(size == V(1.0), abs(y) == V(kInfinity)))),
                V(1.0), result);
}

template <class V>
inline V cbrt(V x) {
  constexpr double coefficients[] = {
      1.0002944009185675,     0.3277409722262595,     -0.09098086166559402,
      0.02879058291150998,    -0.0066362902388495395, 0.0009601860144400112,
      -7.685275360608136e-05, 2.5815280891314997e-06};  // cbrt(1 + f), f in [0, 7)
  const V size = abs(x);
  const Parts<V> parts = parts_of(size, 0);
  const V third = floor(madd(parts.exponent, V(1.0 / 3), V(1.0 / 6)));
  const V left = nmadd(third, V(3.0), parts.exponent);  // 0, 1 or 2
  const V m = parts.fraction * power_of_two(left);
  V y = polynomial(m - V(1.0), coefficients);
  // Halley's method, and Newton's with a residue that is exact.
  const V cube = y * y * y;
  y = y * (cube + V(2.0) * m) / (V(2.0) * cube + m);
  const Pair<V> square = exact_product(y, y);
  const Pair<V> third_power = exact_product(square.hi, y);
  const V residue = (m - third_power.hi) - madd(square.lo, y, third_power.lo);
  y = y + residue / (V(3.0) * square.hi);
  const V result = y * power_of_two(third);
  const auto usual = and_(size > V(0.0), size < V(kInfinity));
  return select(usual, with_sign_of(result, x), x);
}

// --- angles ---

/// An angle as `quarters` quarters of a turn (their lowest two digits count) and the rest, which is
/// at most an eighth of one and a little.
template <class V>
struct Angle {
  Integer<V> quarters;
  Pair<V> rest;
};

/// Of |x| > 2^30: by as many digits of 2 / pi as matter (Payne and Hanek 1983).
inline Angle<double> reduced_large_angle(double x) {
  constexpr std::uint32_t two_over_pi[] = {
      0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
      0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
      0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
      0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
      0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
      0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20};
  const std::int64_t bits = bits_of(x);
  const int exponent =
      static_cast<int>(bits >> 52 & 0x7ff) - 1023 - 52;  // x is mantissa 2^exponent
  const std::uint64_t mantissa =
      static_cast<std::uint64_t>((bits & 0xf'ffff'ffff'ffff) | 1ll << 52);
  const int first = exponent > 2 ? (exponent - 2) / 32 : 0;  // words before give multiples of 4
  const int shift = exponent - 32 * first;
  std::uint32_t digits[8] = {};  // mantissa times six words, the lowest digit first
  const std::uint64_t parts[2] = {mantissa & 0xffff'ffff, mantissa >> 32};
  for (int p = 0; p < 2; ++p) {
    std::uint64_t carry = 0;
    for (int w = 0; w < 6; ++w) {
      carry += parts[p] * two_over_pi[first + 5 - w] + digits[p + w];
      digits[p + w] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    digits[p + 6] = static_cast<std::uint32_t>(carry);
  }
  // The product 2^(shift - 192) is the number of quarters.
  const int point = 192 - shift;
  const auto from = [&](int place) {
    const int word = place / 32, digit = place % 32;
    const std::uint64_t two =
        digits[word] | static_cast<std::uint64_t>(word < 7 ? digits[word + 1] : 0) << 32;
    return static_cast<std::uint32_t>(two >> digit);
  };
  std::int64_t quarters = from(point) & 3;
  std::uint64_t high = static_cast<std::uint64_t>(from(point - 32)) << 32 | from(point - 64);
  std::uint64_t low = static_cast<std::uint64_t>(from(point - 96)) << 32 | from(point - 128);
  const bool above_half = high >> 63;
  if (above_half) {  // one more quarter, less what is missing to it
    ++quarters;
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  const auto number = [](std::uint64_t word) { return static_cast<double>(word & 0xffff'ffff); };
  Pair<double> part = fast_sum(number(high >> 32) * 0x1p-32, number(high) * 0x1p-64);
  part = fast_sum(part.hi, part.lo + (number(low >> 32) * 0x1p-96 + number(low) * 0x1p-128));
  Pair<double> rest = product(part, Pair<double>{1.5707963267948966, 6.123233995736766e-17});
  if (above_half != (bits < 0)) rest = {-rest.hi, -rest.lo};
  return {bits < 0 ? -quarters : quarters, rest};
}

inline void replace_large_angles(bool large, double x, Angle<double>& angle) {
  if (large) angle = reduced_large_angle(x);
}

template <class V>
inline Angle<V> reduced_angle(V x) {
  const V rounded = madd(x, V(0.6366197723675814), V(kRounding));
  const V n = rounded - V(kRounding);
  const V first = nmadd(n, V(1.5707963267948966), x);  // exact
  const Pair<V> second = exact_product(n, V(6.123233995736766e-17));
  const Pair<V> sum = exact_sum(first, -second.hi);
  const V low = nmadd(n, V(-1.4973849048591698e-33), sum.lo - second.lo);
  Angle<V> angle{bits_of(rounded), fast_sum(sum.hi, low)};
  const auto large = and_(abs(x) > V(0x1p30), abs(x) < V(kInfinity));
  if (any_of(large)) replace_large_angles(large, x, angle);
  return angle;
}

template <class V>
struct SineCosine {
  Pair<V> sine, cosine;
};
/// Of at most an eighth of a turn and a little.
template <class V>
inline SineCosine<V> sine_and_cosine(Pair<V> r) {
  constexpr double of_sine[] = {// (sin(r) / r - 1) / r^2, of r^2
                                -0.16666666666666666,    0.008333333333333331,
                                -0.00019841269841265017, 2.7557319219301936e-06,
                                -2.5052106219528367e-08, 1.6058529573291737e-10,
                                -7.586576648405261e-13};
  constexpr double of_cosine[] = {// (cos(r) - 1 + r^2 / 2) / r^4, of r^2
                                  0.041666666666666664,   -0.0013888888888888887,
                                  2.4801587301584618e-05, -2.7557319221382125e-07,
                                  2.0876755783897636e-09, -1.1470459750244853e-11,
                                  4.74580492324984e-14};
  const Pair<V> square = exact_product(r.hi, r.hi);
  const V z = square.hi;
  const V half = V(0.5) * z;
  const Pair<V> one_less = fast_sum(V(1.0), -half);
  const V sine_low = madd(z * r.hi, polynomial(z, of_sine), nmadd(half, r.lo, r.lo));
  const V cosine_low = madd(z * z, polynomial(z, of_cosine),
                            nmadd(r.hi, r.lo, nmadd(V(0.5), square.lo, one_less.lo)));
  return {fast_sum(r.hi, sine_low), fast_sum(one_less.hi, cosine_low)};
}

template <class V>
inline V sin(V x) {
  const Angle<V> angle = reduced_angle(x);
  const SineCosine<V> both = sine_and_cosine(angle.rest);
  const Integer<V> one(1);
  const auto odd = (angle.quarters & one) == one;
  const V result =
      negated_if(shifted_right<1>(angle.quarters), select(odd, both.cosine.hi, both.sine.hi));
  return select(x == V(0.0), x, result);
}
template <class V>
inline V cos(V x) {
  const Angle<V> angle = reduced_angle(x);
  const SineCosine<V> both = sine_and_cosine(angle.rest);
  const Integer<V> one(1);
  const auto odd = (angle.quarters & one) == one;
  return negated_if(shifted_right<1>(angle.quarters + one),
                    select(odd, both.sine.hi, both.cosine.hi));
}
template <class V>
inline V tan(V x) {
  const Angle<V> angle = reduced_angle(x);
  const SineCosine<V> both = sine_and_cosine(angle.rest);
  const Integer<V> one(1);
  const auto odd = (angle.quarters & one) == one;
  const Pair<V> above{select(odd, both.cosine.hi, both.sine.hi),
                      select(odd, both.cosine.lo, both.sine.lo)};
  const Pair<V> below{select(odd, both.sine.hi, both.cosine.hi),
                      select(odd, both.sine.lo, both.cosine.lo)};
  const Pair<V> q = quotient(above, below);
  return select(x == V(0.0), x, negated_if(angle.quarters, q.hi + q.lo));
}

/// The angle of the direction (x, y) in the first quarter: x, y >= 0, not both 0, neither so large
/// or small that a quotient leaves the range of doubles.
template <class V>
inline Pair<V> first_quarter_angle(Pair<V> y, Pair<V> x) {
  constexpr double coefficients[] = {
      // (atan(t) / t - 1) / t^2, of t^2
      -0.3333333333333333,   0.199999999999998,   -0.14285714285659326,  0.11111111105106705,
      -0.09090908751076636,  0.0769229630497447,  -0.06666423628069258,  0.058789145444006215,
      -0.052303478730160745, 0.04551108126325172, -0.034558092551413795, 0.01627194475162406};
  // Turned by none, an eighth or a quarter of a turn, so that the quotient is at most tan(pi / 8).
  const auto flat = y.hi <= V(0.41421356237309503) * x.hi;
  const auto steep = y.hi > V(2.414213562373095) * x.hi;
  const Pair<V> above = exact_sum(y.hi, -x.hi), below = exact_sum(y.hi, x.hi);
  const auto of = [&](V in_flat, V between, V in_steep) {
    return select(flat, in_flat, select(steep, in_steep, between));
  };
  const Pair<V> numerator{of(y.hi, above.hi, -x.hi), of(y.lo, above.lo + (y.lo - x.lo), -x.lo)};
  const Pair<V> denominator{of(x.hi, below.hi, y.hi), of(x.lo, below.lo + (y.lo + x.lo), y.lo)};
  const Pair<V> t = quotient(numerator, denominator);
  const V z = t.hi * t.hi;
  const V low = madd(z * t.hi, polynomial(z, coefficients), t.lo);
  const Pair<V> sum = exact_sum(of(V(0.0), V(0.7853981633974483), V(1.5707963267948966)), t.hi);
  return fast_sum(sum.hi,
                  sum.lo + (low + of(V(0.0), V(3.061616997868383e-17), V(6.123233995736766e-17))));
}

/// pi - angle where `left`.
template <class V, class Truth>
inline V turned(Pair<V> angle, Truth left) {
  const Pair<V> other = exact_sum(V(3.141592653589793), -angle.hi);
  const V from_left = other.hi + (other.lo + (V(1.2246467991473532e-16) - angle.lo));
  return select(left, from_left, angle.hi + angle.lo);
}

template <class V>
inline V atan(V x) {
  const V size = abs(x);
  // Beyond 2^60 it is a quarter of a turn, below 2^-30 x itself but for less than x^3 / 3.
  const Pair<V> angle =
      first_quarter_angle(Pair<V>{min(size, V(0x1p60)), V(0.0)}, Pair<V>{V(1.0), V(0.0)});
  const V small = nmadd(size * V(1.0 / 3) * size, size, size);
  const V result = select(size < V(0x1p-30), small, angle.hi + angle.lo);
  return select(x == x, with_sign_of(result, x), x);
}

template <class V>
inline V atan2(V y, V x) {
  V up = abs(y), right = abs(x);
  const auto any_nan = or_(x != x, y != y);
  const auto both_infinite = and_(up == V(kInfinity), right == V(kInfinity));
  const auto both_zero = and_(up == V(0.0), right == V(0.0));
  // Scaled so that nothing overflows; what is too small beside the other does not count.
  const V larger = max(up, right);
  const V scale =
      select(larger > V(0x1p500), V(0x1p-600), select(larger < V(0x1p-500), V(0x1p600), V(1.0)));
  up = select(both_infinite, V(1.0), up * scale);
  right = select(both_infinite, V(1.0), select(both_zero, V(1.0), right * scale));
  const auto left = bits_of(x) < Integer<V>(0);
  // So flat that the angle is the quotient: which may be subnormal.
  const auto flat = and_(up < V(0x1p-60) * right, !left);
  const auto upright = up > V(0x1p70) * right, level = right > V(0x1p70) * up;
  const V height = select(upright, V(1.0), select(level, V(0.0), up));
  const V width = select(upright, V(0.0), select(level, V(1.0), right));
  const Pair<V> angle = first_quarter_angle(Pair<V>{height, V(0.0)}, Pair<V>{width, V(0.0)});
  V result = turned(angle, left);
  result = select(flat, abs(y) / select(both_zero, V(1.0), abs(x)), result);
  return select(any_nan, x + y, with_sign_of(result, y));
}

/// (x, sqrt(1 - x^2)), of |x| <= 1.
template <class V>
inline Pair<V> other_leg(V x) {
  const Pair<V> square = exact_product(x, x);
  const Pair<V> rest = exact_sum(V(1.0), -square.hi);
  const V low = rest.lo - square.lo;
  const V value = rest.hi + low;
  const V root = sqrt(value);
  const V missing = (nmadd(root, root, rest.hi) + low) / (V(2.0) * max(root, V(1e-300)));
  return {root, select(value > V(0.0), missing, V(0.0))};
}
template <class V>
inline V asin(V x) {
  const V size = abs(x);
  const Pair<V> angle = first_quarter_angle(Pair<V>{size, V(0.0)}, other_leg(min(size, V(1.0))));
  const V cubed = madd(size * V(1.0 / 6) * size, size, size);
  const V result = with_sign_of(select(size < V(0x1p-30), cubed, angle.hi + angle.lo), x);
  return select(size <= V(1.0), result, select(x == x, V(kNan), x));
}
template <class V>
inline V acos(V x) {
  const V size = abs(x);
  const Pair<V> angle = first_quarter_angle(other_leg(min(size, V(1.0))), Pair<V>{size, V(0.0)});
  const V result = turned(angle, x < V(0.0));
  return select(size <= V(1.0), result, select(x == x, V(kNan), x));
}

}  // namespace elementary
}  // namespace paraiso_support
