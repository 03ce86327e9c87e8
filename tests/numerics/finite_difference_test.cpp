#include "numerics/finite_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::numerics {
namespace {

TEST(FiniteDifference, WeightsAreTheTables) {
  // Fornberg (1988), table 1.
  const std::map<int, std::vector<double>> table{
      {2, {-2, 1}},
      {4, {-5.0 / 2, 4.0 / 3, -1.0 / 12}},
      {6, {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90}},
      {8, {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560}}};
  for (const auto& [order, expected] : table) {
    const auto weights = second_derivative_weights(order);
    ASSERT_EQ(weights.size(), expected.size());
    for (std::size_t r = 0; r < weights.size(); ++r)
      EXPECT_NEAR(weights[r], expected[r], 1e-15 * std::abs(expected[r]) * 4) << order << " " << r;
  }
}

/// Of x^0, x^1, ..., x^(order + 1), whose second derivative at 0 is 0 but for x^2; x^(order + 2) is
/// the first that it gets wrong.
TEST(FiniteDifference, OfPolynomialsIsExact) {
  for (int order = 2; order <= 12; order += 2) {
    const auto weights = second_derivative_weights(order);
    for (int power = 0; power <= order + 2; ++power) {
      double value = power == 0 ? weights[0] : 0, largest = std::abs(weights[0]);
      for (int r = 1; r <= order / 2; ++r) {
        value += weights[r] * (std::pow(r, power) + std::pow(-r, power));
        largest = std::max(largest, std::abs(weights[r]) * std::pow(r, power));
      }
      if (power < order + 2)
        EXPECT_NEAR(value, power == 2 ? 2 : 0, 1e-14 * largest) << order << " " << power;
      else
        EXPECT_GT(std::abs(value), 1) << order;
    }
  }
}

TEST(FiniteDifference, SteepestSymbolIsThatOfTheShortestWave) {
  EXPECT_NEAR(steepest_symbol(2), 4, 1e-15);
  EXPECT_NEAR(steepest_symbol(4), 16.0 / 3, 1e-14);
  EXPECT_NEAR(steepest_symbol(6), 272.0 / 45, 1e-14);
  EXPECT_NEAR(steepest_symbol(8), 2048.0 / 315, 1e-14);
  for (int order = 2; order < 40; order += 2) {
    EXPECT_LT(steepest_symbol(order), steepest_symbol(order + 2));
    EXPECT_LT(steepest_symbol(order), M_PI * M_PI);
  }
}

TEST(FiniteDifference, RefusesOddOrders) {
  for (int order : {-2, 0, 1, 3}) {
    try {
      (void)second_derivative_weights(order);
      ADD_FAILURE() << order;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "error: order " + std::to_string(order) +
                    " of a central difference: it is even and at least 2");
    }
  }
}

/// The Laplacian of x^2 + 3 y^2 + x y z, with a factor for each axis, in the middle of a grid.
TEST(FiniteDifference, LaplacianOfAQuadraticIsExact) {
  for (int order : {2, 4, 6, 8}) {
    Builder<3> om("quadratic");
    Field<double, 3> result{om, "result", outflow()};
    om.kernel("apply", [&] {
      const auto x = make_vec<3>([](Axis<3> a) { return cast<double>(index(a)); });
      const Axis<3> i(0), j(1), k(2);
      const auto f = x[i] * x[i] + 3 * x[j] * x[j] + x[i] * x[j] * x[k];
      const Vec<Global<double, 3>, 3> scale{Global<double, 3>(1), Global<double, 3>(10),
                                            Global<double, 3>(100)};
      store(result, scaled_laplacian(f, scale, order));
    });
    const auto machine = om.machine();
    auto state = om::initial_state(machine, {3, 2, 4});
    om::interpret(machine, machine.kernels[0], state);
    for (std::size_t cell = 0; cell < 24; ++cell)
      EXPECT_NEAR(state.arrays[0].at(cell).to_double(), 2 + 60, 1e-11) << order;
  }
}

}  // namespace
}  // namespace paraiso::numerics
