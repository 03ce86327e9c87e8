#include "numerics/time_marching.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace paraiso::numerics {
namespace {

/// The error after one turn of the oscillator x' = v, v' = -x.
double oscillator_error(int steps) {
  const double dt = 2 * M_PI / steps;
  Vec<double, 2> state{1.0, 0.0};
  const auto change = [](const Vec<double, 2>& s, double h, const std::string&) {
    return Vec<double, 2>{h * s[Axis<2>(1)], -h * s[Axis<2>(0)]};
  };
  for (int i = 0; i < steps; ++i) state = two_stage(state, dt, change);
  return std::hypot(state[Axis<2>(0)] - 1, state[Axis<2>(1)]);
}

TEST(TimeMarching, TwoStageIsOfSecondOrder) {
  EXPECT_NEAR(std::log2(oscillator_error(200) / oscillator_error(400)), 2, 0.02);
  EXPECT_LT(oscillator_error(400), 3e-4);
}

TEST(TimeMarching, TwoStageIsExactForAConstantRate) {
  const auto change = [](double, double h, const std::string&) { return 3 * h; };
  EXPECT_EQ(two_stage(1.0, 0.5, change), 2.5);
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
  EXPECT_EQ(two_stage(0.0, 1.0, change), 1.0);
  EXPECT_EQ(stages, "start half ");
}

}  // namespace
}  // namespace paraiso::numerics
