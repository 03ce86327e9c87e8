// Limiters: the slope of a piecewise linear interpolation, from the differences to both neighbours.
// Gives: Limiter, limiters, minmod, monotonized_central, van_leer, van_albada, superbee.
// Needs: functions, method.
//
// Each takes the backward difference `a` and the forward difference `b` of one variable, in any
// unit, and returns the difference across the cell: between 0 and twice the smaller of the two, and
// 0 at an extremum, where their signs differ. All are symmetric, f(a, b) = f(b, a), and odd, f(-a,
// -b) = -f(a, b), bit for bit, on plain numbers and on values of a kernel alike.
//
// To add one: a function here and its row in `limiters`. The row is tested like the others, and the
// solvers offer it.
#pragma once

#include <concepts>

#include "numerics/method.hpp"
#include "paraiso/frontend/functions.hpp"

namespace paraiso::numerics {

/// Limits differences of type T, a number or a value of a kernel, all in one unit.
template <class F, class T>
concept Limiter = requires(const F& limiter, const T& backward, const T& forward) {
  { limiter(backward, forward) } -> std::same_as<T>;
};

/// The smaller of the two, also called MINBEE: Roe (1986); Toro (2009), section 13.7. Exact: the
/// median of a, b and 0, by two min and two max instead of comparisons and selects.
inline constexpr auto minmod = []<class T>(const T& a, const T& b) -> T {
  return max(min(a, 0), min(b, max(a, 0)));
};

/// The mean of the two, at most twice the smaller (MC): van Leer (1977).
inline constexpr auto monotonized_central = []<class T>(const T& a, const T& b) -> T {
  const T mean = number_type<T>(0.5) * (a + b);
  return minmod(mean, T(2 * minmod(a, b)));
};

/// The harmonic mean of the two: van Leer (1974).
inline constexpr auto van_leer = []<class T>(const T& a, const T& b) -> T {
  const T product = a * b;
  return select(product > 0, 2 * product / (a + b), T(0));
};

/// Each weighted by the square of the other: van Albada, van Leer and Roberts (1982). Smooth, and
/// never more than 1.21 times the smaller.
inline constexpr auto van_albada = []<class T>(const T& a, const T& b) -> T {
  const T product = a * b;
  return select(product > 0, product / (a * a + b * b) * (a + b), T(0));
};

/// The steepest that does not increase the total variation: Roe (1986).
inline constexpr auto superbee = []<class T>(const T& a, const T& b) -> T {
  const T first = minmod(T(2 * a), b), second = minmod(a, T(2 * b));
  return select(abs(first) > abs(second), first, second);
};

template <class T>
using LimiterFunction = T (*)(const T& backward, const T& forward);

/// From the most cautious to the steepest.
template <class T>
[[nodiscard]] Methods<LimiterFunction<T>> limiters() {
  return {
      {"minmod", "the smaller difference: Roe (1986)", minmod},
      {"van_albada", "smooth: van Albada, van Leer and Roberts (1982)", van_albada},
      {"van_leer", "the harmonic mean: van Leer (1974)", van_leer},
      {"mc", "the mean, at most twice the smaller: van Leer (1977)", monotonized_central},
      {"superbee", "the steepest; squares smooth waves: Roe (1986)", superbee},
  };
}

}  // namespace paraiso::numerics
