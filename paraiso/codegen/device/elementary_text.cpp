#include "paraiso/codegen/device/elementary_text.hpp"

namespace paraiso::codegen {

std::string_view elementary_text() {
  return R"(typedef struct { double hi, lo; } Pair;

FUNCTION Pair pair(double hi, double lo) {
  const Pair both = {hi, lo};
  return both;
}

FUNCTION Pair fast_sum(double x, double y) {
  const double sum = x + y;
  return pair(sum, y - (sum - x));
}

FUNCTION Pair exact_sum(double x, double y) {
  const double sum = x + y, part = sum - x;
  return pair(sum, (x - (sum - part)) + (y - part));
}

FUNCTION Pair exact_product(double x, double y) {
  const double product = x * y;
  return pair(product, FMA_F64(x, y, -product));
}

FUNCTION Pair product(Pair x, Pair y) {
  const Pair p = exact_product(x.hi, y.hi);
  return fast_sum(p.hi, FMA_F64(x.hi, y.lo, FMA_F64(x.lo, y.hi, p.lo)));
}

FUNCTION Pair quotient(Pair x, Pair y) {
  const double inverse = 1.0 / y.hi, q = x.hi * inverse;
  const double rest = FMA_F64(-q, y.hi, x.hi) + FMA_F64(-q, y.lo, x.lo);
  return fast_sum(q, rest * inverse);
}

FUNCTION double polynomial(double x, CONSTANT const double* c, int count) {
  double sum = c[count - 1];
  for (int i = count - 2; i >= 0; --i) sum = FMA_F64(sum, x, c[i]);
  return sum;
}

FUNCTION LONG bits_of(double x) { return BITS_OF_F64(x); }

FUNCTION double double_of(LONG bits) { return F64_OF_BITS(bits); }

FUNCTION LONG shifted_left(LONG x, int digits) { return (LONG)((ULONG)x << digits); }

FUNCTION LONG shifted_right(LONG x, int digits) { return (LONG)((ULONG)x >> digits); }

FUNCTION LONG wrapped_sum(LONG x, LONG y) { return (LONG)((ULONG)x + (ULONG)y); }

FUNCTION double infinity_f64(void) { return F64_OF_BITS(0x7ff0000000000000); }

FUNCTION double nan_f64(void) { return F64_OF_BITS(0x7ff8000000000000); }

FUNCTION double with_sign_of(double magnitude, double sign) {
  const LONG digits = 0x7fffffffffffffff;
  return double_of((bits_of(magnitude) & digits) | (bits_of(sign) & ~digits));
}

FUNCTION double negated_if(LONG lowest_digit, double x) {
  return double_of(bits_of(x) ^ shifted_left(lowest_digit, 63));
}

FUNCTION double rounding(void) { return 0x1.8p52; }

FUNCTION double power_of_two(double n) {
  return double_of(shifted_left(bits_of(n + (rounding() + 1023)), 52));
}

FUNCTION double scaled(double x, double n) {
  const double half_of = (n * 0.5 + rounding()) - rounding();
  return x * power_of_two(half_of) * power_of_two(n - half_of);
}

typedef struct { double n; Pair above; } Exponential;

TABLE double kExponential[] = {
    0.5,                   0.1666666666666667,    0.04166666666666667,    0.008333333333326084,
    0.0013888888888883711, 0.0001984126987500228, 2.480158732567746e-05,  2.755725517000089e-06,
    2.755727347871858e-07, 2.5105312729622103e-08, 2.09147553258932e-09};

FUNCTION Exponential exponential(Pair x) {
  const double n = FMA_F64(x.hi, 1.4426950408889634, rounding()) - rounding();
  const double first = FMA_F64(-n, 0.693147180559663, x.hi);
  const double second = FMA_F64(-n, 2.8235290563031577e-13, x.lo);
  const Pair r = exact_sum(first, second);
  const double low = FMA_F64(r.hi * r.hi, polynomial(r.hi, kExponential, 11), r.lo);
  const Exponential result = {n, fast_sum(r.hi, low)};
  return result;
}

FUNCTION double exponential_value(Pair x) {
  const Exponential e = exponential(x);
  const Pair sum = fast_sum(1.0, e.above.hi);
  return scaled(sum.hi + (sum.lo + e.above.lo), e.n);
}

FUNCTION Pair exponential_minus_one(double x) {
  const Exponential e = exponential(pair(x, 0.0));
  const double scale = power_of_two(e.n);
  const Pair powers = exact_sum(scale, -1.0);
  const Pair sum = exact_sum(powers.hi, e.above.hi * scale);
  return fast_sum(sum.hi, sum.lo + (powers.lo + e.above.lo * scale));
}

FUNCTION double exp_f64(double x) {
  const double inside = min_f64(max_f64(x, -800.0), 800.0);
  return x == x ? exponential_value(pair(inside, 0.0)) : x;
}

FUNCTION double sinh_f64(double x) {
  const double size = fabs(x);
  const Pair e = exponential_minus_one(min_f64(size, 40.0));
  const Pair one_more = exact_sum(e.hi, 1.0);
  const Pair q = quotient(e, pair(one_more.hi, one_more.lo + e.lo));
  const Pair sum = exact_sum(e.hi, q.hi);
  const double small = 0.5 * (sum.hi + (sum.lo + (e.lo + q.lo)));
  const Exponential half_of = exponential(pair(min_f64(size, 800.0), 0.0));
  const double large = scaled(1.0 + (half_of.above.hi + half_of.above.lo), half_of.n - 1.0);
  const double result = with_sign_of(size < 40.0 ? small : large, x);
  return x == x ? result : x;
}

FUNCTION double cosh_f64(double x) {
  const double size = min_f64(fabs(x), 800.0);
  const Exponential e = exponential(pair(size, 0.0));
  const Pair sum = fast_sum(1.0, e.above.hi);
  const Pair growing = pair(sum.hi, sum.lo + e.above.lo);
  const Pair inverse = quotient(pair(1.0, 0.0), growing);
  const double scale = power_of_two(max_f64(-2.0 * e.n, -200.0));
  const Pair all_of = fast_sum(growing.hi, inverse.hi * scale);
  const double result =
      scaled(all_of.hi + (all_of.lo + (growing.lo + inverse.lo * scale)), e.n - 1.0);
  return x == x ? result : x;
}

FUNCTION double tanh_f64(double x) {
  const double size = min_f64(fabs(x), 25.0);
  const Pair e = exponential_minus_one(2.0 * size);
  const Pair two_more = exact_sum(e.hi, 2.0);
  const Pair q = quotient(e, pair(two_more.hi, two_more.lo + e.lo));
  return x == x ? with_sign_of(q.hi + q.lo, x) : x;
}

typedef struct { double fraction, exponent; } Parts;

FUNCTION Parts parts_of(double x, LONG rounding) {
  const bool subnormal = x < 2.2250738585072014e-308;
  const LONG bits = bits_of(subnormal ? x * 0x1p54 : x);
  const LONG exponent = shifted_right(wrapped_sum(bits, rounding), 52);
  const double biased = double_of(exponent | bits_of(0x1p52)) - 0x1p52;
  const LONG less = wrapped_sum(~shifted_left(exponent, 52), bits_of(1.0) + 1);
  const Parts parts = {double_of(wrapped_sum(bits, less)), biased - (subnormal ? 1023.0 + 54 : 1023.0)};
  return parts;
}

FUNCTION Parts parts_about_one(double x) { return parts_of(x, 0x00095f619980c433); }

TABLE double kLogarithm[] = {
    0.2857142857142857,  0.22222222222222954, 0.18181818181297815, 0.15384615525594558,
    0.13333314603562116, 0.11766054036589604, 0.1047279499544745,  0.10618193945898602};

FUNCTION Pair logarithm(double x) {
  const Parts parts = parts_about_one(x);
  const double f = parts.fraction - 1.0;
  const Pair s = quotient(pair(f, 0.0), fast_sum(2.0, f));
  const Pair z = product(s, s);
  const double rest = z.hi * FMA_F64(z.hi, polynomial(z.hi, kLogarithm, 8), 0.4);
  const Pair third = fast_sum(0.6666666666666666, rest);
  const Pair bend = product(product(z, pair(third.hi, third.lo + 3.700743415417188e-17)), s);
  const Pair large = exact_sum(parts.exponent * 0.693147180559663, 2.0 * s.hi);
  const Pair sum = fast_sum(large.hi, bend.hi);
  const double low =
      (large.lo + 2.0 * s.lo) + FMA_F64(parts.exponent, 2.8235290563031577e-13, bend.lo);
  const Pair all_of = exact_sum(sum.lo, low);
  const Pair result = fast_sum(sum.hi, all_of.hi);
  return pair(result.hi, result.lo + all_of.lo);
}

FUNCTION double log_f64(double x) {
  const Parts parts = parts_about_one(x);
  const double f = parts.fraction - 1.0;
  const double s = f / (2.0 + f), z = s * s;
  const double bend =
      z * FMA_F64(z, FMA_F64(z, polynomial(z, kLogarithm, 8), 0.4), 0.6666666666666666);
  const Pair square = exact_product(0.5 * f, f);
  const Pair line = fast_sum(f, -square.hi);
  const Pair sum = exact_sum(parts.exponent * 0.693147180559663, line.hi);
  const double low =
      FMA_F64(s, square.hi + bend,
              FMA_F64(parts.exponent, 2.8235290563031577e-13, line.lo - square.lo));
  const double usual = sum.hi + (sum.lo + low);
  const double result = x < infinity_f64() ? usual : x;
  const double none = x == 0.0 ? -infinity_f64() : x == x ? nan_f64() : x;
  return x > 0.0 ? result : none;
}

FUNCTION double pow_f64(double x, double y) {
  const double size = fabs(x);
  const Pair log_of = logarithm(size);
  const double high = y * log_of.hi;
  const double inside = min_f64(max_f64(high, -800.0), 800.0);
  const double low = FMA_F64(y, log_of.lo, FMA_F64(y, log_of.hi, -high));
  double result = exponential_value(pair(inside, inside == high ? low : 0.0));
  const double whole = floor_f64(y);
  const bool integral = whole == y;
  const double half_of = 0.5 * y;
  const bool odd = integral && floor_f64(half_of) != half_of;
  const bool grows = size > 1.0 && y > 0.0;
  const bool grows_too = size < 1.0 && y < 0.0;
  const double limit = grows || grows_too ? infinity_f64() : 0.0;
  const bool at_end = size == 0.0 || size == infinity_f64() || fabs(y) == infinity_f64();
  if (at_end) result = limit;
  if (x < 0.0 && !integral && !at_end) result = nan_f64();
  if (bits_of(x) < 0 && odd) result = -result;
  result = x == x ? (y == y ? result : y) : x;
  return y == 0.0 || x == 1.0 || (size == 1.0 && fabs(y) == infinity_f64()) ? 1.0 : result;
}

TABLE double kCubeRoot[] = {
    1.0002944009185675,     0.3277409722262595,     -0.09098086166559402,
    0.02879058291150998,    -0.0066362902388495395, 0.0009601860144400112,
    -7.685275360608136e-05, 2.5815280891314997e-06};

FUNCTION double cbrt_f64(double x) {
  const double size = fabs(x);
  const Parts parts = parts_of(size, 0);
  const double third = floor_f64(FMA_F64(parts.exponent, 1.0 / 3, 1.0 / 6));
  const double left = FMA_F64(-third, 3.0, parts.exponent);
  const double m = parts.fraction * power_of_two(left);
  double y = polynomial(m - 1.0, kCubeRoot, 8);
  const double cube = y * y * y;
  y = y * (cube + 2.0 * m) / (2.0 * cube + m);
  const Pair square = exact_product(y, y);
  const Pair third_power = exact_product(square.hi, y);
  const double residue = (m - third_power.hi) - FMA_F64(square.lo, y, third_power.lo);
  y = y + residue / (3.0 * square.hi);
  const double result = y * power_of_two(third);
  return size > 0.0 && size < infinity_f64() ? with_sign_of(result, x) : x;
}

typedef struct { LONG quarters; Pair rest; } Angle;

TABLE unsigned int kTwoOverPi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
    0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
    0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
    0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20};

FUNCTION ULONG word_at(const unsigned int* digits, int place) {
  const int word = place / 32, digit = place % 32;
  const ULONG two = digits[word] | (ULONG)(word < 7 ? digits[word + 1] : 0) << 32;
  return two >> digit & 0xffffffff;
}

FUNCTION double number_of(ULONG word) { return (double)(word & 0xffffffff); }

FUNCTION Angle reduced_large_angle(double x) {
  const LONG bits = bits_of(x);
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023 - 52;
  const ULONG mantissa = (ULONG)((bits & 0xfffffffffffff) | (LONG)1 << 52);
  const int first = exponent > 2 ? (exponent - 2) / 32 : 0;
  const int shift = exponent - 32 * first;
  unsigned int digits[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  const ULONG parts[2] = {mantissa & 0xffffffff, mantissa >> 32};
  for (int p = 0; p < 2; ++p) {
    ULONG carry = 0;
    for (int w = 0; w < 6; ++w) {
      carry += parts[p] * kTwoOverPi[first + 5 - w] + digits[p + w];
      digits[p + w] = (unsigned int)carry;
      carry >>= 32;
    }
    digits[p + 6] = (unsigned int)carry;
  }
  const int point = 192 - shift;
  LONG quarters = (LONG)(word_at(digits, point) & 3);
  ULONG high = word_at(digits, point - 32) << 32 | word_at(digits, point - 64);
  ULONG low = word_at(digits, point - 96) << 32 | word_at(digits, point - 128);
  const bool above_half = high >> 63 != 0;
  if (above_half) {
    ++quarters;
    low = ~low + 1;
    high = ~high + (low == 0 ? 1 : 0);
  }
  Pair part = fast_sum(number_of(high >> 32) * 0x1p-32, number_of(high) * 0x1p-64);
  part = fast_sum(part.hi,
                  part.lo + (number_of(low >> 32) * 0x1p-96 + number_of(low) * 0x1p-128));
  Pair rest = product(part, pair(1.5707963267948966, 6.123233995736766e-17));
  if (above_half != (bits < 0)) rest = pair(-rest.hi, -rest.lo);
  const Angle angle = {bits < 0 ? -quarters : quarters, rest};
  return angle;
}

FUNCTION Angle reduced_angle(double x) {
  const double rounded = FMA_F64(x, 0.6366197723675814, rounding());
  const double n = rounded - rounding();
  const double first = FMA_F64(-n, 1.5707963267948966, x);
  const Pair second = exact_product(n, 6.123233995736766e-17);
  const Pair sum = exact_sum(first, -second.hi);
  const double low = FMA_F64(-n, -1.4973849048591698e-33, sum.lo - second.lo);
  Angle angle = {bits_of(rounded), fast_sum(sum.hi, low)};
  if (fabs(x) > 0x1p30 && fabs(x) < infinity_f64()) angle = reduced_large_angle(x);
  return angle;
}

typedef struct { Pair sine, cosine; } SineCosine;

TABLE double kSine[] = {-0.16666666666666666,    0.008333333333333331,
                        -0.00019841269841265017, 2.7557319219301936e-06,
                        -2.5052106219528367e-08, 1.6058529573291737e-10,
                        -7.586576648405261e-13};

TABLE double kCosine[] = {0.041666666666666664,   -0.0013888888888888887,
                          2.4801587301584618e-05, -2.7557319221382125e-07,
                          2.0876755783897636e-09, -1.1470459750244853e-11,
                          4.74580492324984e-14};

FUNCTION SineCosine sine_and_cosine(Pair r) {
  const Pair square = exact_product(r.hi, r.hi);
  const double z = square.hi;
  const double half_of = 0.5 * z;
  const Pair one_less = fast_sum(1.0, -half_of);
  const double sine_low =
      FMA_F64(z * r.hi, polynomial(z, kSine, 7), FMA_F64(-half_of, r.lo, r.lo));
  const double cosine_low =
      FMA_F64(z * z, polynomial(z, kCosine, 7),
              FMA_F64(-r.hi, r.lo, FMA_F64(-0.5, square.lo, one_less.lo)));
  const SineCosine both = {fast_sum(r.hi, sine_low), fast_sum(one_less.hi, cosine_low)};
  return both;
}

FUNCTION double sin_f64(double x) {
  const Angle angle = reduced_angle(x);
  const SineCosine both = sine_and_cosine(angle.rest);
  const bool odd = (angle.quarters & 1) == 1;
  const double result =
      negated_if(shifted_right(angle.quarters, 1), odd ? both.cosine.hi : both.sine.hi);
  return x == 0.0 ? x : result;
}

FUNCTION double cos_f64(double x) {
  const Angle angle = reduced_angle(x);
  const SineCosine both = sine_and_cosine(angle.rest);
  const bool odd = (angle.quarters & 1) == 1;
  return negated_if(shifted_right(wrapped_sum(angle.quarters, 1), 1),
                    odd ? both.sine.hi : both.cosine.hi);
}

FUNCTION double tan_f64(double x) {
  const Angle angle = reduced_angle(x);
  const SineCosine both = sine_and_cosine(angle.rest);
  const bool odd = (angle.quarters & 1) == 1;
  const Pair q = quotient(odd ? both.cosine : both.sine, odd ? both.sine : both.cosine);
  return x == 0.0 ? x : negated_if(angle.quarters, q.hi + q.lo);
}

TABLE double kArcTangent[] = {
    -0.3333333333333333,   0.199999999999998,   -0.14285714285659326,  0.11111111105106705,
    -0.09090908751076636,  0.0769229630497447,  -0.06666423628069258,  0.058789145444006215,
    -0.052303478730160745, 0.04551108126325172, -0.034558092551413795, 0.01627194475162406};

FUNCTION Pair first_quarter_angle(Pair y, Pair x) {
  const bool flat = y.hi <= 0.41421356237309503 * x.hi;
  const bool steep = y.hi > 2.414213562373095 * x.hi;
  const Pair above = exact_sum(y.hi, -x.hi), below = exact_sum(y.hi, x.hi);
  const Pair numerator = pair(flat ? y.hi : steep ? -x.hi : above.hi,
                              flat ? y.lo : steep ? -x.lo : above.lo + (y.lo - x.lo));
  const Pair denominator = pair(flat ? x.hi : steep ? y.hi : below.hi,
                                flat ? x.lo : steep ? y.lo : below.lo + (y.lo + x.lo));
  const Pair t = quotient(numerator, denominator);
  const double z = t.hi * t.hi;
  const double low = FMA_F64(z * t.hi, polynomial(z, kArcTangent, 12), t.lo);
  const Pair sum = exact_sum(flat ? 0.0 : steep ? 1.5707963267948966 : 0.7853981633974483, t.hi);
  const double turn = flat ? 0.0 : steep ? 6.123233995736766e-17 : 3.061616997868383e-17;
  return fast_sum(sum.hi, sum.lo + (low + turn));
}

FUNCTION double turned(Pair angle, bool left) {
  const Pair other = exact_sum(3.141592653589793, -angle.hi);
  const double from_left = other.hi + (other.lo + (1.2246467991473532e-16 - angle.lo));
  return left ? from_left : angle.hi + angle.lo;
}

FUNCTION double atan_f64(double x) {
  const double size = fabs(x);
  const Pair angle = first_quarter_angle(pair(min_f64(size, 0x1p60), 0.0), pair(1.0, 0.0));
  const double small = FMA_F64(-(size * (1.0 / 3) * size), size, size);
  const double result = size < 0x1p-30 ? small : angle.hi + angle.lo;
  return x == x ? with_sign_of(result, x) : x;
}

FUNCTION double atan2_f64(double y, double x) {
  double up = fabs(y), right = fabs(x);
  const bool any_nan = x != x || y != y;
  const bool both_infinite = up == infinity_f64() && right == infinity_f64();
  const bool both_zero = up == 0.0 && right == 0.0;
  const double larger = max_f64(up, right);
  const double scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-500 ? 0x1p600 : 1.0;
  up = both_infinite ? 1.0 : up * scale;
  right = both_infinite ? 1.0 : both_zero ? 1.0 : right * scale;
  const bool left = bits_of(x) < 0;
  const bool flat = up < 0x1p-60 * right && !left;
  const bool upright = up > 0x1p70 * right, level = right > 0x1p70 * up;
  const double height = upright ? 1.0 : level ? 0.0 : up;
  const double width = upright ? 0.0 : level ? 1.0 : right;
  const double angle = turned(first_quarter_angle(pair(height, 0.0), pair(width, 0.0)), left);
  const double result = flat ? fabs(y) / (both_zero ? 1.0 : fabs(x)) : angle;
  return any_nan ? x + y : with_sign_of(result, y);
}

FUNCTION Pair other_leg(double x) {
  const Pair square = exact_product(x, x);
  const Pair rest = exact_sum(1.0, -square.hi);
  const double low = rest.lo - square.lo;
  const double value = rest.hi + low;
  const double root = sqrt(value);
  const double missing =
      (FMA_F64(-root, root, rest.hi) + low) / (2.0 * max_f64(root, 1e-300));
  return pair(root, value > 0.0 ? missing : 0.0);
}

FUNCTION double asin_f64(double x) {
  const double size = fabs(x);
  const Pair angle = first_quarter_angle(pair(size, 0.0), other_leg(min_f64(size, 1.0)));
  const double cubed = FMA_F64(size * (1.0 / 6) * size, size, size);
  const double result = with_sign_of(size < 0x1p-30 ? cubed : angle.hi + angle.lo, x);
  return size <= 1.0 ? result : x == x ? nan_f64() : x;
}

FUNCTION double acos_f64(double x) {
  const double size = fabs(x);
  const Pair angle = first_quarter_angle(other_leg(min_f64(size, 1.0)), pair(size, 0.0));
  const double result = turned(angle, x < 0.0);
  return size <= 1.0 ? result : x == x ? nan_f64() : x;
}
)";
}

}  // namespace paraiso::codegen
