#include "apps/heat/heat.hpp"

#include <cmath>
#include <numbers>

#include "backends.hpp"

namespace paraiso::apps {
namespace {

class Heat : public OnBackends {
 protected:
  static InstancePointer begin(const std::string& problem, const Size& size) {
    const int dimension = static_cast<int>(size.size());
    auto field = instance(heat(), {dimension, om::Element::f64, problem}, size);
    field->run(problem);
    return field;
  }
};
PARAISO_ON_BACKENDS(Heat);

/// 4 sum_a sin^2(k_a dx_a / 2) / dx_a^2, the discrete laplacian's eigenvalue, on the unit box.
double eigenvalue(const Size& size, double half_waves) {
  double sum = 0;
  for (std::int64_t n : size) {
    const double dx = 1.0 / static_cast<double>(n);
    sum += 4 / (dx * dx) * std::pow(std::sin(half_waves * std::numbers::pi * dx / 2), 2);
  }
  return sum;
}

TEST_P(Heat, a_mode_decays_by_its_eigenvalue) {
  const std::map<std::string, int> half_waves{{"decay", 2}, {"walls", 1}};
  for (const auto& [problem, waves] : half_waves)
    for (const Size& size : {Size{33}, Size{12, 9}, Size{6, 8, 5}, Size{4, 3, 5, 6}}) {
      const auto field = begin(problem, size);
      const auto start = cells(*field, "u");
      const int steps = 20;
      run_steps(*field, steps);
      const double shrink = 1 - field->scalar("time_step") * eigenvalue(size, waves);
      const auto end = cells(*field, "u");
      for (std::size_t i = 0; i < start.size(); ++i)
        EXPECT_NEAR(end[i], start[i] * std::pow(shrink, steps), 1e-14)
            << problem << ", " << size.size() << " dimensions, cell " << i;
    }
}

TEST_P(Heat, converges_to_the_exact_solution) {
  const auto error = [](const std::string& problem, int dimension, std::int64_t n) {
    const auto field = begin(problem, Size(dimension, n));
    field->set_scalar("time_limit", 0.02);
    while (field->scalar("time") < 0.02) field->run("proceed");
    field->run("error");
    return field->scalar("l1_error");
  };
  for (const std::string problem : {"decay", "walls"}) {
    EXPECT_NEAR(std::log2(error(problem, 1, 16) / error(problem, 1, 32)), 2, 0.1) << problem;
    EXPECT_NEAR(std::log2(error(problem, 2, 8) / error(problem, 2, 16)), 2, 0.15) << problem;
  }
}

TEST_P(Heat, is_conserved_on_a_cyclic_grid) {
  const auto field = instance(heat(), {3, om::Element::f64, "decay"}, {6, 5, 7});
  field->run("decay");
  const auto view = field->field("u");
  view.at<double>(Size{2, 3, 4}) += 100;
  const auto total = [&] {
    double sum = 0;
    for (double u : cells(*field, "u")) sum += u;
    return sum;
  };
  const double before = total();
  run_steps(*field, 30);
  EXPECT_NEAR(total(), before, 1e-11);
}

TEST_P(Heat, is_the_same_along_every_axis) {
  const auto along = [](const Size& size) {
    const auto field = begin("walls", size);
    run_steps(*field, 5);
    return cells(*field, "u");
  };
  const auto x = along({7, 3}), y = along({3, 7});
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(x[i + 7 * j], y[j + 3 * i], 1e-15);
}

}  // namespace
}  // namespace paraiso::apps
