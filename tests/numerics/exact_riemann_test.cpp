#include "numerics/exact_riemann.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "paraiso/base/rng.hpp"

namespace paraiso::numerics {
namespace {

using Gas = GasState<double>;
constexpr double kGamma = 1.4;

struct Tube {
  const char* name;
  Gas left, right;
  double pressure, velocity;  // of the star state
};

/// Toro (2009), tables 4.1 and 4.2.
const Tube kTubes[] = {
    {"sod", {1, 0, 1}, {0.125, 0, 0.1}, 0.30313, 0.92745},
    {"two rarefactions", {1, -2, 0.4}, {1, 2, 0.4}, 0.00189, 0.0},
    {"left blast", {1, 0, 1000}, {1, 0, 0.01}, 460.894, 19.5975},
    {"right blast", {1, 0, 0.01}, {1, 0, 100}, 46.0950, -6.19633},
    {"two shocks", {5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 1691.64, 8.68975},
};

TEST(ExactRiemann, StarStatesAreTheTextbooks) {
  for (const Tube& tube : kTubes) {
    const auto star = solve_riemann(tube.left, tube.right, kGamma);
    EXPECT_NEAR(star.pressure, tube.pressure, 6e-6 * std::max(1.0, tube.pressure)) << tube.name;
    EXPECT_NEAR(star.velocity, tube.velocity, 6e-6 * std::max(1.0, std::abs(tube.velocity)))
        << tube.name;
  }
}

TEST(ExactRiemann, EightIterationsReachRounding) {
  for (const Tube& tube : kTubes) {
    const auto eight = solve_riemann(tube.left, tube.right, kGamma);
    const auto many = solve_riemann(tube.left, tube.right, kGamma, 60);
    EXPECT_NEAR(eight.pressure / many.pressure, 1, 1e-12) << tube.name;
  }
  const Gas hot{1, 0, 1e6}, cold{1, 0, 1};
  EXPECT_NEAR(
      solve_riemann(hot, cold, kGamma).pressure / solve_riemann(hot, cold, kGamma, 60).pressure, 1,
      1e-12);
}

double energy(const Gas& g) {
  return g.pressure / (kGamma - 1) + 0.5 * g.density * g.velocity * g.velocity;
}

/// The speed at which `jump` (in density) must travel to conserve mass; checks momentum and energy.
double conserving_speed(const Gas& below, const Gas& above) {
  const auto jump = [&](auto&& f) { return f(above) - f(below); };
  const auto mass = [](const Gas& g) { return g.density; };
  const auto momentum = [](const Gas& g) { return g.density * g.velocity; };
  const auto thrust = [](const Gas& g) { return g.density * g.velocity * g.velocity + g.pressure; };
  const auto power = [](const Gas& g) { return g.velocity * (energy(g) + g.pressure); };
  const double speed = jump(momentum) / jump(mass);
  EXPECT_NEAR(speed * jump(momentum), jump(thrust), 1e-11 * (thrust(above) + thrust(below)));
  EXPECT_NEAR(speed * jump(energy), jump(power),
              1e-11 * (std::abs(power(above)) + std::abs(power(below))));
  return speed;
}

TEST(ExactRiemann, ShocksAndContactsConserveMassMomentumAndEnergy) {
  for (const Tube& tube : kTubes) {
    const auto star = solve_riemann(tube.left, tube.right, kGamma);
    const auto at = [&](double x) {
      return sample_riemann(tube.left, tube.right, star, x, 1.0, kGamma);
    };
    const double width = 1e-9 * (1 + std::abs(star.velocity));
    const Gas below = at(star.velocity - width), above = at(star.velocity + width);
    EXPECT_EQ(below.pressure, above.pressure) << tube.name;
    EXPECT_EQ(below.velocity, above.velocity) << tube.name;
    const auto expect_jump = [&](const Gas& lower, const Gas& upper) {
      const double speed = conserving_speed(lower, upper), step = 1e-9 * std::abs(speed);
      EXPECT_EQ(at(speed - step).density, lower.density) << tube.name;
      EXPECT_EQ(at(speed + step).density, upper.density) << tube.name;
    };
    if (star.pressure > tube.left.pressure) expect_jump(tube.left, below);
    if (star.pressure > tube.right.pressure) expect_jump(above, tube.right);
  }
}

TEST(ExactRiemann, AFanIsContinuousAndIsentropic) {
  const Tube& sod = kTubes[0];
  const auto star = solve_riemann(sod.left, sod.right, kGamma);
  const double head = -std::sqrt(kGamma),
               tail = star.velocity - std::sqrt(kGamma) * std::pow(star.pressure, 1 / 7.0);
  for (int i = 0; i <= 100; ++i) {
    const double speed = head + (tail - head) * i / 100;
    const Gas gas = sample_riemann(sod.left, sod.right, star, speed, 1.0, kGamma);
    EXPECT_NEAR(gas.pressure, std::pow(gas.density, kGamma), 1e-12);
    const double sound = std::sqrt(kGamma * gas.pressure / gas.density);
    EXPECT_NEAR(gas.velocity - sound, speed, 1e-12);  // the characteristic's speed
    EXPECT_NEAR(gas.velocity + 5 * sound, 5 * std::sqrt(kGamma), 1e-12);  // Riemann's invariant
  }
}

TEST(ExactRiemann, AtTimeZeroIsTheInitialState) {
  const Tube& sod = kTubes[0];
  const auto star = solve_riemann(sod.left, sod.right, kGamma);
  const auto at = [&](double x) {
    return sample_riemann(sod.left, sod.right, star, x, 0.0, kGamma).density;
  };
  EXPECT_EQ(at(-1e-9), 1);
  EXPECT_EQ(at(-3.0), 1);
  EXPECT_EQ(at(1e-9), 0.125);
  EXPECT_EQ(at(3.0), 0.125);
}

TEST(ExactRiemann, OfTheMirrorImageIsTheMirrorImage) {
  Rng rng(8);
  const auto draw = [&] { return Gas{0.1 + rng.unit(), rng.unit() - 0.5, 0.1 + rng.unit()}; };
  const auto mirrored = [](const Gas& g) { return Gas{g.density, -g.velocity, g.pressure}; };
  for (int i = 0; i < 1000; ++i) {
    const Gas left = draw(), right = draw();
    const auto star = solve_riemann(left, right, kGamma);
    const auto image = solve_riemann(mirrored(right), mirrored(left), kGamma);
    EXPECT_NEAR(star.pressure, image.pressure, 1e-14);
    EXPECT_NEAR(star.velocity, -image.velocity, 1e-14);
    const double x = 4 * rng.unit() - 2;
    const auto here = sample_riemann(left, right, star, x, 1.0, kGamma);
    const auto there =
        sample_riemann(mirrored(right), mirrored(left),
                       StarState<double>{-star.velocity, star.pressure}, -x, 1.0, kGamma);
    for_each([](double a, double b) { EXPECT_EQ(a, b); }, here, mirrored(there));
  }
}

}  // namespace
}  // namespace paraiso::numerics
