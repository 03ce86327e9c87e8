#include "apps/mhd/mhd.hpp"

#include <cmath>

#include "backends.hpp"

namespace paraiso::apps {
namespace {

class MhdApp : public OnBackends {
 protected:
  static InstancePointer begin(const std::string& problem, const Size& size) {
    const int dimension = static_cast<int>(size.size());
    auto flow = instance(mhd(), {dimension, om::Element::f64, problem}, size);
    flow->run(problem);
    return flow;
  }
  static void run_until(runtime::Instance& flow, double time) {
    flow.set_scalar("time_limit", time);
    while (flow.scalar("time") < time) flow.run("proceed");
  }
  static double sum(runtime::Instance& flow, std::string_view field) {
    double total = 0;
    for (const double value : cells(flow, field)) total += value;
    return total;
  }
};
PARAISO_ON_BACKENDS(MhdApp);

/// Toth (2000), section 6.3.1: after one period the wave is where it was.
TEST_P(MhdApp, alfven_waves_converge_to_the_exact_solution) {
  double before = 0;
  for (const std::int64_t n : {32, 64, 128}) {
    if (!is_compiled() && n > 64) break;
    const auto flow = begin("alfven_wave", {n});
    run_until(*flow, is_compiled() ? 1 : 0.25);
    flow->run("error");
    const double error = flow->scalar("l1_error");
    EXPECT_LT(error, 7e-3);
    if (n > 32) {
      EXPECT_GT(std::log2(before / error), n == 64 ? 1.5 : 1.7) << n;
    }
    before = error;
  }
}

TEST_P(MhdApp, the_vortex_keeps_all_that_is_conserved) {
  const auto flow = begin("orszag_tang", {24, 24});
  const double pi = std::acos(-1);
  EXPECT_NEAR(sum(*flow, "density"), 24 * 24 * 25 / (36 * pi), 1e-11);
  const double energy = sum(*flow, "energy");
  run_until(*flow, is_compiled() ? 0.5 : 0.05);
  EXPECT_NEAR(sum(*flow, "density"), 24 * 24 * 25 / (36 * pi), 1e-10);
  EXPECT_NEAR(sum(*flow, "energy"), energy, 1e-10);
  for (const char* field : {"momentum_x", "momentum_y", "field_x", "field_y"})
    EXPECT_NEAR(sum(*flow, field), 0, 1e-10) << field;
  for (const char* field : {"momentum_z", "field_z"}) EXPECT_EQ(sum(*flow, field), 0) << field;
}

/// It is its own image, turned by half a circle.
TEST_P(MhdApp, the_vortex_stays_symmetric) {
  const auto flow = begin("orszag_tang", {20, 20});
  run_until(*flow, is_compiled() ? 0.3 : 0.05);
  const auto density = cells(*flow, "density"), field = cells(*flow, "field_x");
  for (std::size_t n = 0; n < density.size(); ++n) {
    EXPECT_NEAR(density[n], density[density.size() - 1 - n], 1e-12);
    EXPECT_NEAR(field[n], -field[density.size() - 1 - n], 1e-12);
  }
}

/// Brio and Wu (1988), figure 2.
TEST_P(MhdApp, the_shock_tube_has_its_plateaus) {
  if (!is_compiled()) GTEST_SKIP() << "takes too long in the interpreter";
  const auto flow = begin("brio_wu", {400});
  run_until(*flow, 0.1);
  const auto density = cells(*flow, "density"), field = cells(*flow, "field_x");
  EXPECT_NEAR(density[172], 0.67, 0.01);   // behind the fast rarefaction
  EXPECT_NEAR(density[200], 0.69, 0.02);   // between compound wave and contact
  EXPECT_NEAR(density[245], 0.235, 0.01);  // behind the slow shock
  EXPECT_NEAR(density[285], 0.117, 0.002);
  for (const double b : field) EXPECT_NEAR(b, 0.75, 1e-12);
  for (const double rho : density) EXPECT_TRUE(0.1 < rho && rho < 1.0001) << rho;
}

/// What divergence a field has moves away and decays.
TEST_P(MhdApp, divergence_is_carried_away) {
  const std::int64_t n = 24;
  const auto flow = begin("orszag_tang", {n, n});
  const auto view = flow->field("field_x");
  for (std::int64_t j = 8; j < 16; ++j)
    for (std::int64_t i = 8; i < 16; ++i)
      view.set(Size{i, j}, om::Constant(view.get(Size{i, j}).to_double() + 0.2));
  flow->run("totals");
  const double before = flow->scalar("largest_divergence");
  EXPECT_GT(before, 0.19);
  run_until(*flow, 0.08);
  flow->run("totals");
  EXPECT_LT(flow->scalar("largest_divergence"), 0.5 * before);
}

}  // namespace
}  // namespace paraiso::apps
