#include "numerics/riemann_solvers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gas_pairs.hpp"

namespace paraiso::numerics {
namespace {

template <class T, int D>
using Solver = RiemannFunction<T, D, IdealGas<T>>;

static_assert(RiemannSolver<decltype(hllc), double, 3, IdealGas<double>>);
static_assert(RiemannSolver<decltype(hll), float, 1, IdealGas<float>>);
static_assert(RiemannSolver<Solver<double, 2>, double, 2, IdealGas<double>>);
constexpr auto forgets_the_gas = [](const auto& left, const auto&, auto) { return left; };
static_assert(!RiemannSolver<decltype(forgets_the_gas), double, 2, IdealGas<double>>);

/// Every row of the table is asked the same.
class Solvers : public testing::TestWithParam<std::size_t> {
 protected:
  template <class T, int D>
  static Solver<T, D> solver() {
    return riemann_solvers<T, D, IdealGas<T>>()[GetParam()].function;
  }
};

std::string row_name(const testing::TestParamInfo<std::size_t>& row) {
  return riemann_solvers<double, 1, IdealGas<double>>()[row.param].name;
}

TEST_P(Solvers, OfEqualSidesGiveTheFluxBitForBit) {
  const auto flux_between = solver<double, 3>();
  for_random_pairs([&](const auto& state, const auto&) {
    for_each([](double a, double b) { EXPECT_EQ(a, b); }, flux_between(state, state, kAxis, kGas),
             flux_of(state, kAxis, kGas));
  });
}

TEST_P(Solvers, OfTheMirrorImageGiveTheMirrorImageBitForBit) {
  const auto flux_between = solver<double, 3>();
  for_random_pairs([&](auto left, auto right) {
    const auto straight = flux_between(left, right, kAxis, kGas);
    const auto image = flux_between(mirrored(right), mirrored(left), kAxis, kGas);
    EXPECT_EQ(image.density, -straight.density);
    for (auto a : axes<3>())
      EXPECT_EQ(image.momentum[a], a == kAxis ? straight.momentum[a] : -straight.momentum[a]);
    EXPECT_EQ(image.energy, -straight.energy);
  });
}

TEST_P(Solvers, OfCollidingMirrorImagesMoveNothingButMomentum) {
  const auto flux_between = solver<double, 3>();
  for_random_pairs([&](const auto& left, const auto&) {
    const auto wall = flux_between(left, mirrored(left), kAxis, kGas);
    EXPECT_EQ(wall.density, 0);
    EXPECT_EQ(wall.energy, 0);
  });
}

TEST_P(Solvers, OfTransposedAxesAreTransposedBitForBit) {
  const auto flux_between = solver<double, 2>();
  Rng rng(5);
  const Axis<2> x(0), y(1);
  for (int i = 0; i < 10000; ++i) {
    const auto left = random_state<double, 2>(rng), right = random_state<double, 2>(rng);
    const auto fx = flux_between(left, right, x, kGas);
    const auto fy = flux_between(transposed(left), transposed(right), y, kGas);
    EXPECT_EQ(fx.density, fy.density);
    EXPECT_EQ(fx.momentum[x], fy.momentum[y]);
    EXPECT_EQ(fx.momentum[y], fy.momentum[x]);
    EXPECT_EQ(fx.energy, fy.energy);
  }
}

TEST_P(Solvers, OfSupersonicFlowGiveTheUpwindFlux) {
  if (row_name({GetParam(), 0}) == "rusanov") return;  // which leans to both sides alike
  const auto flux_between = solver<double, 3>();
  int seen = 0;
  for_random_pairs([&](const auto& left, const auto& right) {
    const auto waves = outer_waves(left, right, kAxis, kGas);
    if (waves.left < 0 && waves.right > 0) return;
    ++seen;
    for_each(
        [](double flux, double upwind, double scale) { EXPECT_NEAR(flux, upwind, 1e-13 * scale); },
        flux_between(left, right, kAxis, kGas),
        flux_of(waves.left >= 0 ? left : right, kAxis, kGas), scale_of(left, right));
  });
  EXPECT_GT(seen, 1000);
}

/// Half of what the Courant condition allows: the waves of two faces do not meet.
TEST_P(Solvers, KeepDensityAndInternalEnergyOfACellPositive) {
  const auto flux_between = solver<double, 3>();
  Rng rng(9);
  const auto fastest = [](const Primitive<double, 3>& a, const Primitive<double, 3>& b) {
    return std::max(std::abs(a.velocity[kAxis]), std::abs(b.velocity[kAxis])) +
           larger_sound_speed(a, b, kGas);
  };
  for (int i = 0; i < 20000; ++i) {
    const auto below = random_state<double, 3>(rng), cell = random_state<double, 3>(rng),
               above = random_state<double, 3>(rng);
    const double dt_per_width = 0.5 / std::max(fastest(below, cell), fastest(cell, above));
    const auto next =
        zip([&](double now, double in, double out) { return now + dt_per_width * (in - out); },
            conserved(cell, kGas), flux_between(below, cell, kAxis, kGas),
            flux_between(cell, above, kAxis, kGas));
    EXPECT_GT(next.density, 0);
    const double internal = next.energy - 0.5 * dot(next.momentum, next.momentum) / next.density;
    EXPECT_GT(internal, -1e-13 * next.energy);
  }
}

TEST_P(Solvers, OfFloatsAgreeWithDoubles) {
  Rng rng(6);
  for (int i = 0; i < 10000; ++i) {
    const auto left = random_state<float, 3>(rng), right = random_state<float, 3>(rng);
    for_each(
        [](float narrow, double wide, double scale) { EXPECT_NEAR(narrow, wide, 1e-5 * scale); },
        solver<float, 3>()(left, right, kAxis, IdealGas<float>{1.4f}),
        solver<double, 3>()(widened(left), widened(right), kAxis, kGas),
        scale_of(widened(left), widened(right)));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Solvers,
                         testing::Range(std::size_t{0},
                                        riemann_solvers<double, 1, IdealGas<double>>().size()),
                         row_name);

// --- the two that hllc_test does not know ---

/// Toro (2009), section 10.3, with its branches.
Conserved<double, 3> hll_textbook(const Primitive<double, 3>& l, const Primitive<double, 3>& r,
                                  const IdealGas<double>& gas) {
  const double cl = std::sqrt(gas.gamma * l.pressure / l.density);
  const double cr = std::sqrt(gas.gamma * r.pressure / r.density);
  const double sl = std::min(l.velocity[kAxis], r.velocity[kAxis]) - std::max(cl, cr);
  const double sr = std::max(l.velocity[kAxis], r.velocity[kAxis]) + std::max(cl, cr);
  if (sl >= 0) return flux_of(l, kAxis, gas);
  if (sr <= 0) return flux_of(r, kAxis, gas);
  return zip([&](double fl, double fr, double ul,
                 double ur) { return (sr * fl - sl * fr + sl * sr * (ur - ul)) / (sr - sl); },
             flux_of(l, kAxis, gas), flux_of(r, kAxis, gas), conserved(l, gas), conserved(r, gas));
}

Conserved<double, 3> rusanov_textbook(const Primitive<double, 3>& l, const Primitive<double, 3>& r,
                                      const IdealGas<double>& gas) {
  const double cl = std::sqrt(gas.gamma * l.pressure / l.density);
  const double cr = std::sqrt(gas.gamma * r.pressure / r.density);
  const double s =
      std::max(std::abs(l.velocity[kAxis]), std::abs(r.velocity[kAxis])) + std::max(cl, cr);
  return zip(
      [&](double fl, double fr, double ul, double ur) { return (fl + fr - s * (ur - ul)) / 2; },
      flux_of(l, kAxis, gas), flux_of(r, kAxis, gas), conserved(l, gas), conserved(r, gas));
}

template <class Textbook>
void expect_textbook(const Conserved<double, 3>& flux, const Textbook& textbook,
                     const Conserved<double, 3>& scale) {
  for_each_named([](const std::string& name, double lean, double known,
                    double size) { EXPECT_NEAR(lean, known, 1e-13 * size) << name; },
                 flux, textbook, scale);
}

TEST(Hll, EqualsTheTextbookToRounding) {
  for_random_pairs([](const auto& left, const auto& right) {
    expect_textbook(hll(left, right, kAxis, kGas), hll_textbook(left, right, kGas),
                    scale_of(left, right));
  });
}

TEST(Rusanov, EqualsTheTextbookToRounding) {
  for_random_pairs([](const auto& left, const auto& right) {
    expect_textbook(rusanov(left, right, kAxis, kGas), rusanov_textbook(left, right, kGas),
                    scale_of(left, right));
  });
}

/// A contact at rest: sharp with HLLC, and the more diffusive a solver is, the more mass crosses.
TEST(RiemannTable, IsOrderedByDiffusion) {
  const Primitive<double, 1> heavy{2, {{0.0}}, 1}, light{1, {{0.0}}, 1};
  const Axis<1> x(0);
  EXPECT_EQ(hllc(heavy, light, x, kGas).density, 0);
  EXPECT_GT(hll(heavy, light, x, kGas).density, 0);
  // Moving, Rusanov's waves are as fast against the flow as with it.
  const Primitive<double, 1> fast_heavy{2, {{0.5}}, 1}, fast_light{1, {{0.5}}, 1};
  const double exact = hllc(fast_heavy, fast_light, x, kGas).density;
  const double hll_excess = hll(fast_heavy, fast_light, x, kGas).density - exact;
  EXPECT_EQ(exact, 1.0);
  EXPECT_GT(std::abs(rusanov(fast_heavy, fast_light, x, kGas).density - exact),
            std::abs(hll_excess));
}

TEST(RiemannTable, NamesEachRowOnce) {
  std::set<std::string> names;
  const auto rows = riemann_solvers<double, 1, IdealGas<double>>();
  for (const auto& row : rows) names.insert(row.name);
  EXPECT_EQ(names.size(), rows.size());
  EXPECT_STREQ(rows[0].name, "hllc");
}

}  // namespace
}  // namespace paraiso::numerics
