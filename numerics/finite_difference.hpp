// Finite differences: central ones for the second derivative, of any even order, and the Laplacian.
// Gives: second_derivative_weights, steepest_symbol, scaled_laplacian. Needs: grid.
#pragma once

#include <vector>

#include "paraiso/frontend/grid.hpp"

namespace paraiso::numerics {

/// w_0, ..., w_m, m = order / 2, such that
///   f''(x) = (w_0 f(x) + sum_{r=1..m} w_r (f(x + r h) + f(x - r h))) / h^2 + O(h^order).
/// Fornberg (1988), table 1: w_r = 2 (-1)^(r+1) m!^2 / (r^2 (m - r)! (m + r)!), and all sum to 0.
[[nodiscard]] inline std::vector<double> second_derivative_weights(int order) {
  if (order < 2 || order % 2 != 0)
    throw Error("order " + std::to_string(order) +
                " of a central difference: it is even and at least 2");
  const int m = order / 2;
  std::vector<double> weights{0};
  double choice = 1;  // m!^2 / ((m - r)! (m + r)!), with alternating sign
  for (int r = 1; r <= m; ++r) {
    choice *= -static_cast<double>(m - r + 1) / (m + r);
    weights.push_back(-2 * choice / (r * r));
    weights[0] -= 2 * weights.back();
  }
  return weights;
}

/// The largest amplification of any wave by the difference of `order`, that of the wave two cells
/// long: 4 / h^2 at second order, never more than pi^2 / h^2. It bounds the time step.
[[nodiscard]] inline double steepest_symbol(int order) {
  const auto weights = second_derivative_weights(order);
  double symbol = -weights[0];  // the signs of w_1, w_2, ... alternate as the wave's do
  for (std::size_t r = 1; r < weights.size(); ++r) symbol += 2 * std::abs(weights[r]);
  return symbol;
}

/// sum_a scale[a] h_a^2 d^2 f / d x_a^2 by differences of `order`: the Laplacian if `scale[a]` is 1
/// / h_a^2. Reads order / 2 cells in both directions along each axis. A mirrored field gives the
/// mirrored result bit for bit.
template <class Real, int D>
[[nodiscard]] Local<Real, D> scaled_laplacian(const Local<Real, D>& f,
                                              const Vec<Global<Real, D>, D>& scale, int order) {
  Scope scope("laplacian");
  const auto weights = second_derivative_weights(order);
  Local<Real, D> total = sum<D>([&](Axis<D> a) { return Real(weights[0]) * scale[a]; }) * f;
  for (Axis<D> a : axes<D>()) {
    Local<Real, D> along = Real(weights[1]) * (at(f, a) + at(f, -a));
    for (int r = 2; r <= order / 2; ++r)
      along = along + Real(weights[r]) * (at(f, r * a) + at(f, -r * a));
    total = total + scale[a] * along;
  }
  return total;
}

}  // namespace paraiso::numerics
