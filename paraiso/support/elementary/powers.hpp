// Exponentials, logarithms and powers.
// Gives: exp, sinh, cosh, tanh, log, pow, cbrt in paraiso_support::elementary. Needs: pairs.hpp.
#pragma once

#include <cstdint>
#include <limits>

#include "paraiso/support/elementary/pairs.hpp"

namespace paraiso_support {
namespace elementary {

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

/// A positive number as fraction 2^exponent.
template <class V>
struct Parts {
  V fraction, exponent;
};
/// Added to a number's bits, it makes their exponent that of the nearest power of two: fractions
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

/// The natural logarithm of a positive finite number, accurate to about 66 bits.
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

/// The natural logarithm, rounded to a double: a few more bits than a double's suffice on the way.
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
  // exp(y log(x)) is right for positive finite numbers. Now for the others.
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
  // One step of Halley's method, then one of Newton's with an exact residual.
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

}  // namespace elementary
}  // namespace paraiso_support
