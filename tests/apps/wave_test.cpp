#include "apps/wave/wave.hpp"

#include <cmath>
#include <numbers>

#include "backends.hpp"

namespace paraiso::apps {
namespace {

class Wave : public OnBackends {
 protected:
  static InstancePointer begin(const std::string& problem, const Size& size, double courant) {
    const int dimension = static_cast<int>(size.size());
    auto waves = instance(wave(), {dimension, om::Element::f64, problem}, size);
    waves->set_scalar("courant", courant);
    waves->run(problem);
    return waves;
  }
  /// How much `scalar` fluctuates over the first `steps` steps, the beginning included.
  static double fluctuation(const std::string& scalar, runtime::Instance& waves, int steps) {
    Fluctuation seen;
    seen.see(waves.scalar(scalar));
    for (int i = 0; i < steps; ++i) {
      waves.run("proceed");
      seen.see(waves.scalar(scalar));
    }
    return seen.relative();
  }
};
PARAISO_ON_BACKENDS(Wave);

/// Muranushi (2012), section 2.3: N = 8 ... 3072 with dt = dx / c.
TEST_P(Wave, keeps_the_papers_energy_with_the_papers_step) {
  for (std::int64_t n : {8, 24, 96, 384, 1000, 3072}) {
    if (!is_compiled() && n > 100) break;
    const auto waves = begin("paper", {n}, 1);
    const double dx = 2 * std::numbers::pi / static_cast<double>(n);
    EXPECT_NEAR(waves->scalar("time_step"), dx / 3.43, 1e-15);
    EXPECT_NEAR(waves->scalar("energy"), std::numbers::pi * (3.43 * 3.43 + 1) / 2, 20 * dx * dx);
    const double fluctuates = fluctuation("energy", *waves, is_compiled() ? 1000 : 100);
    EXPECT_LT(fluctuates, 1e-12) << n;
  }
}

TEST_P(Wave, does_not_keep_the_papers_energy_with_another_step) {
  EXPECT_GT(fluctuation("energy", *begin("paper", {64}, 0.7), 100), 1e-6);
}

TEST_P(Wave, keeps_the_staggered_energy_in_any_dimension_with_any_stable_step) {
  const std::vector<Size> small{{96}, {12, 9}, {6, 5, 7}}, large{{3072}, {512, 512}, {64, 64, 64}};
  for (const double courant : {0.3, 0.95, 1.0})  // 1 is the limit of stability
    for (const Size& size : is_compiled() ? large : small) {
      const auto waves = begin("paper", size, courant);
      const double fluctuates = fluctuation("staggered_energy", *waves, is_compiled() ? 1000 : 200);
      EXPECT_LT(fluctuates, 1e-12) << size.size() << " dimensions, courant " << courant;
      EXPECT_GT(waves->scalar("staggered_energy"), 1);
    }
}

TEST_P(Wave, steps_by_the_papers_equations) {
  const int n = 10;
  const auto waves = begin("paper", {n}, 0.8);
  const auto f0 = cells(*waves, "f"), g0 = cells(*waves, "g");
  const double dt = waves->scalar("time_step"), dx = 2 * std::numbers::pi / n, c = 3.43;
  run_steps(*waves, 1);
  const auto f1 = cells(*waves, "f"), g1 = cells(*waves, "g");
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) * dx;
    EXPECT_NEAR(f0[i], std::sin(x), 1e-14);         // eq. 9
    EXPECT_NEAR(g0[i], std::cos(3 * x), 1e-14);     // eq. 10
    EXPECT_NEAR(f1[i], f0[i] + dt * g0[i], 1e-14);  // eq. 6
    const double bend = f1[(i + 1) % n] + f1[(i + n - 1) % n] - 2 * f1[i];
    EXPECT_NEAR(g1[i], g0[i] + c * c * dt / (dx * dx) * bend, 1e-13);  // eq. 7
  }
  double energy = 0;  // eq. 8 with Table 2's factor
  for (int i = 0; i < n; ++i) {
    const double slope = (f1[(i + 1) % n] - f1[(i + n - 1) % n]) / (2 * dx);
    const double speed = (g0[i] + g1[i]) / 2;
    energy += 0.5 * (c * c * slope * slope + speed * speed) * dx;
  }
  EXPECT_NEAR(waves->scalar("energy"), energy, 1e-12);
}

TEST_P(Wave, converges_to_the_exact_solution) {
  const auto error = [](const std::string& problem, int dimension, std::int64_t n) {
    const auto waves = begin(problem, Size(dimension, n), 0.8);
    run_steps(*waves, static_cast<int>(n / 2));  // the same time for every n
    waves->run("error");
    return waves->scalar("l1_error");
  };
  const auto order = [&](const std::string& problem, int dimension, std::int64_t n) {
    return std::log2(error(problem, dimension, n) / error(problem, dimension, 2 * n));
  };
  EXPECT_GT(order("standing", 1, 32), 1.9);
  EXPECT_GT(order("standing", 2, 16), 1.9);
  EXPECT_GT(order("paper", 1, 64), 0.9);  // its g is given half a step early
  if (is_compiled()) {
    EXPECT_GT(order("standing", 3, 16), 1.9);
  }
}

TEST_P(Wave, stops_at_the_time_limit) {
  const auto waves = begin("standing", {16}, 0.9);
  waves->set_scalar("time_limit", 0.5);
  run_steps(*waves, 20);
  EXPECT_EQ(waves->scalar("time"), 0.5);
}

}  // namespace
}  // namespace paraiso::apps
