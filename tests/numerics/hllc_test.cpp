#include "numerics/hllc.hpp"

#include <gtest/gtest.h>

#include "random_state.hpp"

namespace paraiso::numerics {
namespace {

const Axis<3> kAxis(1);
const IdealGas<double> kGas{1.4};

template <class T, int D>
Conserved<T, D> flux_of(const Primitive<T, D>& state, Axis<D> axis, const IdealGas<T>& gas) {
  return flux(state, total_energy(state, gas), axis);
}

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

/// What a round-off error of a flux is relative to.
Conserved<double, 3> scale_of(const Primitive<double, 3>& l, const Primitive<double, 3>& r) {
  const auto one = [](const Primitive<double, 3>& s) {
    const double speed =
        std::sqrt(kGas.gamma * s.pressure / s.density) + std::sqrt(dot(s.velocity, s.velocity));
    return Vec<double, 2>{s.density, speed};
  };
  const auto a = one(l), b = one(r);
  const double density = a.components[0] + b.components[0];
  const double speed = a.components[1] + b.components[1];
  return {density * speed, uniform<3>(density * speed * speed), density * speed * speed * speed};
}

template <class F>
void for_random_pairs(F&& f) {
  Rng rng(4);
  for (int i = 0; i < 20000; ++i) {
    const auto left = random_state<double, 3>(rng);
    f(left, random_state<double, 3>(rng));
  }
}

TEST(Hllc, EqualsTheTextbookToRounding) {
  for_random_pairs([](const auto& left, const auto& right) {
    for_each_named([](const std::string& name, double lean, double textbook,
                      double scale) { EXPECT_NEAR(lean, textbook, 1e-13 * scale) << name; },
                   hllc(left, right, kAxis, kGas), hllc_textbook(left, right, kAxis, kGas),
                   scale_of(left, right));
  });
}

TEST(Hllc, OfEqualSidesIsTheFluxBitForBit) {
  for_random_pairs([](const auto& state, const auto&) {
    for_each([](double a, double b) { EXPECT_EQ(a, b); }, hllc(state, state, kAxis, kGas),
             flux_of(state, kAxis, kGas));
  });
}

template <class T>
Primitive<T, 3> mirrored(Primitive<T, 3> state) {
  state.velocity[kAxis] = -state.velocity[kAxis];
  return state;
}

TEST(Hllc, OfTheMirrorImageIsTheMirrorImageBitForBit) {
  for_random_pairs([](auto left, auto right) {
    const auto straight = hllc(left, right, kAxis, kGas);
    const auto image = hllc(mirrored(right), mirrored(left), kAxis, kGas);
    EXPECT_EQ(image.density, -straight.density);
    for (auto a : axes<3>())
      EXPECT_EQ(image.momentum[a], a == kAxis ? straight.momentum[a] : -straight.momentum[a]);
    EXPECT_EQ(image.energy, -straight.energy);
  });
}

TEST(Hllc, OfCollidingMirrorImagesMovesNothingButMomentum) {
  for_random_pairs([](const auto& left, const auto&) {
    const auto wall = hllc(left, mirrored(left), kAxis, kGas);
    EXPECT_EQ(wall.density, 0);
    EXPECT_EQ(wall.energy, 0);
  });
}

TEST(Hllc, OfTransposedAxesIsTransposedBitForBit) {
  Rng rng(5);
  const Axis<2> x(0), y(1);
  const auto transposed = [&](Primitive<double, 2> s) {
    std::swap(s.velocity[x], s.velocity[y]);
    return s;
  };
  for (int i = 0; i < 10000; ++i) {
    const auto left = random_state<double, 2>(rng), right = random_state<double, 2>(rng);
    const auto fx = hllc(left, right, x, kGas);
    const auto fy = hllc(transposed(left), transposed(right), y, kGas);
    EXPECT_EQ(fx.density, fy.density);
    EXPECT_EQ(fx.momentum[x], fy.momentum[y]);
    EXPECT_EQ(fx.momentum[y], fy.momentum[x]);
    EXPECT_EQ(fx.energy, fy.energy);
  }
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

TEST(Hllc, OfFloatsAgreesWithDoubles) {
  Rng rng(6);
  for (int i = 0; i < 10000; ++i) {
    const auto left = random_state<float, 3>(rng), right = random_state<float, 3>(rng);
    const auto wide = [](const Primitive<float, 3>& s) {
      return map([](float v) -> double { return v; }, s);
    };
    for_each([](float lean, double reference,
                double scale) { EXPECT_NEAR(lean, reference, 1e-5 * scale); },
             hllc(left, right, kAxis, IdealGas<float>{1.4f}),
             hllc_textbook(wide(left), wide(right), kAxis, kGas),
             scale_of(wide(left), wide(right)));
  }
}

}  // namespace
}  // namespace paraiso::numerics
