// Functions of angles, and angles.
// Gives: sin, cos, tan, asin, acos, atan, atan2 in paraiso_support::elementary. Needs: pairs.hpp.
#pragma once

#include <cstdint>

#include "paraiso/support/elementary/pairs.hpp"

namespace paraiso_support {
namespace elementary {

/// An angle as `quarters` quarter turns (only their lowest two bits count) and the rest, at most
/// slightly more than an eighth of a turn.
template <class V>
struct Angle {
  Integer<V> quarters;
  Pair<V> rest;
};

/// For |x| > 2^30: uses as many digits of 2 / pi as matter (Payne and Hanek 1983).
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
  const int first = exponent > 2 ? (exponent - 2) / 32 : 0;  // earlier words add multiples of 4
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
  if (above_half) {  // one quarter more, and a negative rest
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
/// For angles up to slightly more than an eighth of a turn.
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

/// The angle of the direction (x, y) in the first quadrant: x, y >= 0, not both 0, and neither so
/// large or small that a quotient leaves the range of doubles.
template <class V>
inline Pair<V> first_quarter_angle(Pair<V> y, Pair<V> x) {
  constexpr double coefficients[] = {
      // (atan(t) / t - 1) / t^2, of t^2
      -0.3333333333333333,   0.199999999999998,   -0.14285714285659326,  0.11111111105106705,
      -0.09090908751076636,  0.0769229630497447,  -0.06666423628069258,  0.058789145444006215,
      -0.052303478730160745, 0.04551108126325172, -0.034558092551413795, 0.01627194475162406};
  // Rotated by 0, an eighth or a quarter of a turn, so that the quotient is at most tan(pi / 8).
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
  // Beyond 2^60 it is a quarter of a turn; below 2^-30 it is x, less at most x^3 / 3.
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
  // Scaled so that nothing overflows; an operand negligible against the other may become 0.
  const V larger = max(up, right);
  const V scale =
      select(larger > V(0x1p500), V(0x1p-600), select(larger < V(0x1p-500), V(0x1p600), V(1.0)));
  up = select(both_infinite, V(1.0), up * scale);
  right = select(both_infinite, V(1.0), select(both_zero, V(1.0), right * scale));
  const auto left = bits_of(x) < Integer<V>(0);
  // So flat that the angle is the quotient, which may be subnormal.
  const auto flat = and_(up < V(0x1p-60) * right, !left);
  const auto upright = up > V(0x1p70) * right, level = right > V(0x1p70) * up;
  const V height = select(upright, V(1.0), select(level, V(0.0), up));
  const V width = select(upright, V(0.0), select(level, V(1.0), right));
  const Pair<V> angle = first_quarter_angle(Pair<V>{height, V(0.0)}, Pair<V>{width, V(0.0)});
  V result = turned(angle, left);
  result = select(flat, abs(y) / select(both_zero, V(1.0), abs(x)), result);
  return select(any_nan, x + y, with_sign_of(result, y));
}

/// (x, sqrt(1 - x^2)), for |x| <= 1.
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
