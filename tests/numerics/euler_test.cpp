#include "numerics/euler.hpp"

#include <gtest/gtest.h>

#include "numerics/cfl.hpp"
#include "random_state.hpp"

namespace paraiso::numerics {
namespace {

TEST(Euler, ConservedAndPrimitiveAreInverse) {
  Rng rng(2);
  const IdealGas<double> gas{1.4};
  for (int i = 0; i < 1000; ++i) {
    const auto state = random_state<double, 3>(rng);
    const auto back = primitive(conserved(state, gas), gas);
    const double energy = total_energy(state, gas);
    EXPECT_EQ(back.density, state.density);
    for (auto a : axes<3>())
      EXPECT_NEAR(back.velocity[a], state.velocity[a], 1e-15 * std::abs(state.velocity[a]) * 4);
    EXPECT_NEAR(back.pressure, state.pressure, 1e-15 * energy * 8);
  }
}

TEST(Euler, FluxIsTheTextbooks) {
  const Primitive<double, 2> state{2.0, {3.0, 5.0}, 7.0};
  const IdealGas<double> gas{1.5};
  const double energy = 7.0 / 0.5 + 0.5 * 2.0 * (9.0 + 25.0);
  EXPECT_EQ(total_energy(state, gas), energy);
  const auto x = flux(state, energy, Axis<2>(0)), y = flux(state, energy, Axis<2>(1));
  EXPECT_EQ(x.density, 6.0);
  EXPECT_EQ(x.momentum[Axis<2>(0)], 25.0);
  EXPECT_EQ(x.momentum[Axis<2>(1)], 30.0);
  EXPECT_EQ(x.energy, 3.0 * (energy + 7.0));
  EXPECT_EQ(y.density, 10.0);
  EXPECT_EQ(y.momentum[Axis<2>(0)], 30.0);
  EXPECT_EQ(y.momentum[Axis<2>(1)], 57.0);
  EXPECT_EQ(y.energy, 5.0 * (energy + 7.0));
}

TEST(Cfl, CrossingTimeIsTheTextbooks) {
  Rng rng(3);
  const IdealGas<double> gas{5.0 / 3};
  const Vec<double, 2> inverse_width{64.0, 100.0};
  for (int i = 0; i < 1000; ++i) {
    const auto state = random_state<double, 2>(rng);
    const double sound = std::sqrt(gas.gamma * state.pressure / state.density);
    const double rate =
        sum<2>([&](Axis<2> a) { return (std::abs(state.velocity[a]) + sound) * inverse_width[a]; });
    EXPECT_NEAR(crossing_time(conserved(state, gas), inverse_width, gas) * rate, 1, 1e-9);
  }
}

TEST(Cfl, CrossingTimeOfNegativeInternalEnergyIsNaN) {
  const Conserved<double, 1> state{1.0, {2.0}, 1.0};
  EXPECT_TRUE(std::isnan(crossing_time(state, Vec<double, 1>{1.0}, IdealGas<double>{1.4})));
}

}  // namespace
}  // namespace paraiso::numerics
