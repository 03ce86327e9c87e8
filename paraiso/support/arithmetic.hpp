// The operators of Arith on scalars: one function per operator, total for all operands.
// Gives: namespace paraiso_support. Needs: the C++ standard library and nothing of Paraiso's.
//
// The interpreter calls these functions, and generated code carries this very text with it, so both
// compute the same bits. C++17, without branches where a loop should vectorise. Compile with
// -ffp-contract=off and without -ffast-math.
// Each function is right by itself. Expressions of several are right only where the compiler
// simplifies them correctly, and not all compilers do: where a simplification is known to be wrong
// for signed zeros or for the least integer, one of the values that it would combine is `opaque`.
// docs/architecture.md lists these places.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace paraiso_support {

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T>;

/// `value`, hidden from the compiler: it forgets the expression behind it and, for a constant, its
/// value. The value stays in its register, so this takes no instruction.
template <class T>
inline T opaque(T value) {
#if defined(__GNUC__)
#if defined(__x86_64__)
  if constexpr (is_float<T>)
    __asm__("" : "+x"(value));
  else
    __asm__("" : "+r"(value));
#elif defined(__aarch64__)
  if constexpr (is_float<T>)
    __asm__("" : "+w"(value));
  else
    __asm__("" : "+r"(value));
#else
  __asm__("" : "+m"(value));
#endif
#endif
  return value;
}

// --- integers wrap, floats are IEEE ---

template <class T>
inline T identity(T x) {
  return x;
}

template <class T>
inline T add(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(x) + static_cast<Unsigned>(y));
  } else {
    return x + y;
  }
}

template <class T>
inline T sub(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(x) - static_cast<Unsigned>(y));
  } else {
    return x - y;
  }
}

/// Opaque because g++ turns -fma(x, y, z) into one instruction for -(x y) - z, which gives an exact
/// zero the other sign.
template <class T>
inline T neg(T x) {
  if constexpr (is_float<T>)
    return -opaque(x);
  else
    return sub(T{0}, x);
}

template <class T>
inline T mul(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    // `1u *`: 16-bit numbers would be multiplied as ints, which may overflow
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(1u * static_cast<Unsigned>(x) * static_cast<Unsigned>(y));
  } else {
    return x * y;
  }
}

/// Integers truncate, x / 0 = 0 and MIN / -1 = MIN. Opaque because g++ replaces -x / y by -(x / y)
/// where it has x / y already, which is wrong for MIN.
template <class T>
inline T div(T x, T y) {
  if constexpr (is_float<T>) {
    return x / y;
  } else {
    const bool traps = y == 0 || y == -1;
    const T quotient = static_cast<T>(opaque(x) / (traps ? T{1} : y));
    return y == 0 ? T{0} : y == -1 ? neg(x) : quotient;
  }
}

/// The remainder of truncating division, exact, with the dividend's sign. x mod 0 = x, for floats
/// too.
template <class T>
inline T mod(T x, T y) {
  if constexpr (is_float<T>) {
    return y == 0 ? x : std::fmod(x, y);
  } else {
    const bool traps = y == 0 || y == -1;
    const T remainder = static_cast<T>(x % (traps ? T{1} : y));
    return y == 0 ? x : remainder;
  }
}

/// The first result of divmod (the second is mod): integers as div, floats trunc(x / y) with x / y
/// rounded first.
template <class T>
inline T quotient(T x, T y) {
  if constexpr (is_float<T>)
    return std::trunc(x / y);
  else
    return div(x, y);
}

template <class T>
inline T inv(T x) {
  return T{1} / x;
}

/// The absolute value; that of the least integer is itself.
template <class T>
inline T abs(T x) {
  if constexpr (is_float<T>)
    return std::fabs(x);
  else
    return x < 0 ? neg(x) : x;
}

/// 1 or -1; zeros (with their sign) and NaN are returned as they are.
template <class T>
inline T signum(T x) {
  return x > 0 ? T{1} : x < 0 ? T{-1} : x;
}

/// y if either is NaN or both are zero.
template <class T>
inline T min(T x, T y) {
  return x < y ? x : y;
}

/// y if either is NaN or both are zero.
template <class T>
inline T max(T x, T y) {
  return x > y ? x : y;
}

// --- multiply-adds are rounded once ---
// Opaque because compilers turn a product with a known -1 into a negation: see neg.

template <class T>
inline T madd(T x, T y, T z) {  // x y + z
  return opaque(std::fma(x, y, z));
}

template <class T>
inline T msub(T x, T y, T z) {  // x y - z
  return opaque(std::fma(x, y, -z));
}

template <class T>
inline T nmadd(T x, T y, T z) {  // -(x y) + z
  return opaque(std::fma(-x, y, z));
}

template <class T>
inline T nmsub(T x, T y, T z) {  // -(x y) - z
  return opaque(std::fma(-x, y, -z));
}

// --- powers, roundings ---

/// x to the power of an unsigned n, in one fixed order: those of x, x^2, x^4, ... (each the square
/// of the one before) at which n has a binary 1 are multiplied, from the lowest to the highest.
template <class T>
inline T unsigned_power(T x, std::uint32_t n) {
  T power = n & 1 ? x : T{1};
  for (n >>= 1; n != 0; n >>= 1) {
    x = mul(x, x);
    power = n & 1 ? mul(power, x) : power;
  }
  return power;
}

/// x to the power of n. A negative n gives the inverse of the positive power for floats, and for
/// integers the inverse truncated: 1 for 1, 1 or -1 for -1, else 0.
template <class T>
inline T ipow(T x, std::int32_t n) {
  const std::uint32_t magnitude =
      n < 0 ? 0u - static_cast<std::uint32_t>(n) : static_cast<std::uint32_t>(n);
  if constexpr (is_float<T>) {
    const T power = unsigned_power(x, magnitude);
    return n < 0 ? T{1} / power : power;
  } else {
    if (n >= 0) return unsigned_power(x, magnitude);
    return x == 1 ? T{1} : x == -1 ? (magnitude & 1 ? T{-1} : T{1}) : T{0};
  }
}

/// Opaque because clang++ assumes that 1 / sqrt(x) is not negative: for sqrt(-0), which is -0, it
/// is -inf.
template <class T>
inline T sqrt(T x) {
  return opaque(std::sqrt(x));
}

template <class T>
inline T floor(T x) {
  return std::floor(x);
}

template <class T>
inline T ceil(T x) {
  return std::ceil(x);
}

// --- logic and choice: bitwise on integers ---

template <class T>
inline T not_(T x) {
  if constexpr (std::is_same_v<T, bool>)
    return !x;
  else
    return static_cast<T>(~x);
}

template <class T>
inline T and_(T x, T y) {
  return static_cast<T>(x & y);
}

template <class T>
inline T or_(T x, T y) {
  return static_cast<T>(x | y);
}

template <class T>
inline T xor_(T x, T y) {
  return static_cast<T>(x ^ y);
}

template <class T>
inline bool eq(T x, T y) {
  return x == y;
}

template <class T>
inline bool ne(T x, T y) {
  return x != y;
}

template <class T>
inline bool lt(T x, T y) {
  return x < y;
}

template <class T>
inline bool le(T x, T y) {
  return x <= y;
}

template <class T>
inline bool gt(T x, T y) {
  return x > y;
}

template <class T>
inline bool ge(T x, T y) {
  return x >= y;
}

template <class T>
inline T select(bool condition, T x, T y) {
  return condition ? x : y;
}

/// A float becomes an integer by truncation and saturates, NaN giving 0; a wider integer wraps; a
/// bool is `!= 0` (true for NaN); the rest rounds to nearest. The integer is opaque because g++
/// turns a conversion from float to integer and back into a truncation, which would keep -0.
template <class To, class From>
inline To cast(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From{0};
  } else if constexpr (is_float<From> && std::is_integral_v<To>) {
    // MIN is a power of two, so it and -MIN (one above MAX) are exact in every float.
    constexpr From low = static_cast<From>(std::numeric_limits<To>::min());
    const bool inside = x >= low && x < -low;
    const To truncated = opaque(static_cast<To>(inside ? x : From{0}));
    return x >= -low ? std::numeric_limits<To>::max()
           : x < low ? std::numeric_limits<To>::min()
                     : truncated;
  } else {
    return static_cast<To>(x);
  }
}

// --- elementary functions ---
// Defined in elementary.cpp by elementary.hpp: the same bits on every host.

float cbrt(float x);
float pow(float x, float y);
float exp(float x);
float log(float x);
float sin(float x);
float cos(float x);
float tan(float x);
float asin(float x);
float acos(float x);
float atan(float x);
float atan2(float y, float x);
float sinh(float x);
float cosh(float x);
float tanh(float x);

double cbrt(double x);
double pow(double x, double y);
double exp(double x);
double log(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);

}  // namespace paraiso_support
