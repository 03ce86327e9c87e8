#include "numerics/hllc.hpp"

#include <gtest/gtest.h>

#include "gas_pairs.hpp"

namespace paraiso::numerics {
namespace {

/// Toro (2009), section 10.4, step by step, with branches and both sides' own star states.
Conserved<double, 3> hllc_textbook(const Primitive<double, 3>& l, const Primitive<double, 3>& r,
                                   Axis<3> n, const IdealGas<double>& gas) {
  const double ul = l.velocity[n], ur = r.velocity[n];
  const double cl = std::sqrt(gas.gamma * l.pressure / l.density);
  const double cr = std::sqrt(gas.gamma * r.pressure / r.density);
  const double sl = std::min(ul, ur) - std::max(cl, cr);
  const double sr = std::max(ul, ur) + std::max(cl, cr);
  const double ss =
      (r.pressure - l.pressure + l.density * ul * (sl - ul) - r.density * ur * (sr - ur)) /
      (l.density * (sl - ul) - r.density * (sr - ur));  // eq. 10.37
  const auto star_flux = [&](const Primitive<double, 3>& k, double s) {
    const double u = k.velocity[n], energy = total_energy(k, gas);
    const double factor = k.density * (s - u) / (s - ss);  // eq. 10.39
    Conserved<double, 3> star{factor, factor * k.velocity, 0};
    star.momentum[n] = factor * ss;
    star.energy =
        factor * (energy / k.density + (ss - u) * (ss + k.pressure / (k.density * (s - u))));
    return zip([&](double f, double u0, double u1) { return f + s * (u1 - u0); },
               flux_of(k, n, gas), conserved(k, gas), star);  // eq. 10.38
  };
  if (sl >= 0) return flux_of(l, n, gas);
  if (sr <= 0) return flux_of(r, n, gas);
  return ss >= 0 ? star_flux(l, sl) : star_flux(r, sr);
}

TEST(Hllc, EqualsTheTextbookToRounding) {
  for_random_pairs([](const auto& left, const auto& right) {
    for_each_named([](const std::string& name, double lean, double textbook,
                      double scale) { EXPECT_NEAR(lean, textbook, 1e-13 * scale) << name; },
                   hllc(left, right, kAxis, kGas), hllc_textbook(left, right, kAxis, kGas),
                   scale_of(left, right));
  });
}

TEST(Hllc, KeepsAContactAndAShearWaveBitForBit) {
  for_random_pairs([](auto left, auto right) {
    right.pressure = left.pressure;
    right.velocity[kAxis] = left.velocity[kAxis];
    const auto waves = hllc_waves(left, right, kAxis, kGas);
    EXPECT_EQ(waves.thrust, 0);
    EXPECT_EQ(waves.resistance, 0);
    EXPECT_EQ(waves.mean_speed, left.velocity[kAxis]);
    EXPECT_EQ(waves.mean_pressure, left.pressure);
    const auto upwind = waves.mean_speed < 0 ? right : left;
    for_each([](double a, double b) { EXPECT_EQ(a, b); }, hllc(left, right, kAxis, kGas),
             flux_of(upwind, kAxis, kGas));
  });
}

TEST(Hllc, OrdersItsWavesAndKeepsDensityAndInternalEnergyPositive) {
  for_random_pairs([](const auto& left, const auto& right) {
    const auto waves = hllc_waves(left, right, kAxis, kGas);
    const double star = waves.mean_speed + waves.thrust / waves.mass;
    EXPECT_LT(waves.left, star);
    EXPECT_LT(star, waves.right);
    const auto face = hllc_state(left, right, kAxis, kGas);
    EXPECT_GT(face.state.density, 0);
    const double speed_squared = dot(face.state.velocity, face.state.velocity);
    EXPECT_GT(face.energy - 0.5 * face.state.density * speed_squared, -1e-13 * face.energy);
  });
}

}  // namespace
}  // namespace paraiso::numerics
