#include "numerics/time_marching.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace paraiso::numerics {
namespace {

using Pair = Vec<double, 2>;

static_assert(Integrator<decltype(heun), double, double, Rate<double, double>>);
static_assert(Integrator<IntegratorFunction<Pair, double>, Pair, double, Rate<Pair, double>>);
constexpr auto forgets_the_rate = [](double state, double) { return state; };
static_assert(!Integrator<decltype(forgets_the_rate), double, double, Rate<double, double>>);

/// The error after one turn of the oscillator x' = v, v' = -x.
double oscillator_error(IntegratorFunction<Pair, double> integrator, int steps) {
  const double dt = 2 * M_PI / steps;
  Pair state{1.0, 0.0};
  const auto change = [](const Pair& s, double h, const std::string&) {
    return Pair{h * s[Axis<2>(1)], -h * s[Axis<2>(0)]};
  };
  for (int i = 0; i < steps; ++i) state = integrator(state, dt, change);
  return std::hypot(state[Axis<2>(0)] - 1, state[Axis<2>(1)]);
}

TEST(TimeMarching, EveryIntegratorIsOfItsOrder) {
  const std::map<std::string, int> orders{{"midpoint", 2}, {"heun", 2}, {"ssp_rk3", 3}};
  for (const auto& row : integrators<Pair, double>()) {
    const double coarse = oscillator_error(row.function, 200);
    const double fine = oscillator_error(row.function, 400);
    EXPECT_NEAR(std::log2(coarse / fine), orders.at(row.name), 0.02) << row.name;
    EXPECT_LT(fine, 3e-4) << row.name;
  }
}

TEST(TimeMarching, EveryIntegratorIsExactForAConstantRate) {
  const auto change = [](double, double h, const std::string&) { return 3 * h; };
  for (const auto& row : integrators<double, double>())
    EXPECT_EQ(row.function(1.0, 0.5, change), 2.5) << row.name;
}

/// What leaves one component enters the other.
TEST(TimeMarching, EveryIntegratorKeepsASum) {
  const auto change = [](const Pair& s, double h, const std::string&) {
    const double flow = h * s[Axis<2>(0)] * s[Axis<2>(1)];
    return Pair{-flow, flow};
  };
  for (const auto& row : integrators<Pair, double>()) {
    Pair state{0.7, 0.4};
    for (int i = 0; i < 1000; ++i) state = row.function(state, 0.3, change);
    EXPECT_NEAR(state.components[0] + state.components[1], 1.1, 1e-14) << row.name;
  }
}

/// Upwind differences of a step on a ring, by forward steps of the longest that these stand.
TEST(TimeMarching, IntegratorsThatSaySoIncreaseNoTotalVariation) {
  using Ring = Vec<double, 4>;
  const auto change = [](const Ring& u, double h, const std::string&) {
    Ring rate{};
    for (int i = 0; i < 4; ++i)
      rate.components[i] = h * (u.components[(i + 3) % 4] - u.components[i]);
    return rate;
  };
  const auto variation = [](const Ring& u) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += std::abs(u.components[(i + 1) % 4] - u.components[i]);
    return sum;
  };
  int seen = 0;
  for (const auto& row : integrators<Ring, double>()) {
    if (std::string(row.summary).find("TVD") == std::string::npos) continue;
    ++seen;
    Ring state{0.0, 1.0, 1.0, 0.0};
    for (int i = 0; i < 10; ++i) {
      const double before = variation(state);
      state = row.function(state, 1.0, change);
      EXPECT_LE(variation(state), before + 1e-15) << row.name;
    }
  }
  EXPECT_EQ(seen, 2);
}

/// Shu and Osher (1988), eq. 2.16 and 2.18, as they are written there.
TEST(TimeMarching, IntegratorsEqualThePaper) {
  const auto rate = [](double u) { return u * u - 0.5; };
  const auto change = [&](double u, double h, const std::string&) { return h * rate(u); };
  const double u = 0.8, h = 0.25;
  const double u1 = u + h * rate(u);
  EXPECT_DOUBLE_EQ(heun(u, h, change), u / 2 + (u1 + h * rate(u1)) / 2);
  const double u2 = 3 * u / 4 + (u1 + h * rate(u1)) / 4;
  EXPECT_DOUBLE_EQ(ssp_rk3(u, h, change), u / 3 + 2 * (u2 + h * rate(u2)) / 3);
}

TEST(TimeMarching, TwoStageIsTheMidpointRule) {
  const auto change = [](double s, double h, const std::string&) { return h * s * s; };
  const double half = 2 + 0.125 * 4;
  EXPECT_EQ(two_stage(2.0, 0.25, change), 2 + 0.25 * half * half);
}

TEST(TimeMarching, NamesTheStatesThatARateIsTakenAt) {
  std::string stages;
  const auto change = [&](double, double h, const std::string& stage) {
    stages += stage + " ";
    return h;
  };
  const std::map<std::string, std::string> known{
      {"midpoint", "start half "}, {"heun", "start first "}, {"ssp_rk3", "start first second "}};
  for (const auto& row : integrators<double, double>()) {
    stages.clear();
    EXPECT_DOUBLE_EQ(row.function(0.0, 1.0, change), 1.0) << row.name;
    EXPECT_EQ(stages, known.at(row.name));
  }
}

}  // namespace
}  // namespace paraiso::numerics
