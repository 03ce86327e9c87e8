#include "apps/acoustic/acoustic.hpp"

#include <cmath>
#include <numbers>
#include <set>

#include "backends.hpp"
#include "paraiso/base/rng.hpp"

namespace paraiso::apps {
namespace {

constexpr int kOrders[] = {2, 4, 6, 8};

class Acoustic : public OnBackends {
 protected:
  using Parameters = std::map<std::string, double>;

  static InstancePointer begin(const std::string& problem, const Size& size,
                               const Parameters& parameters = {}, int order = 8) {
    const int dimension = static_cast<int>(size.size());
    const Choices choices = choose(acoustic(), problem, {"order=" + std::to_string(order)});
    auto sound = instance(acoustic(), {dimension, om::Element::f64, problem, choices}, size);
    for (const auto& [name, value] : parameters) sound->set_scalar(name, value);
    sound->run(problem);
    return sound;
  }
  /// A box around the middle of another, `times` as long, of cells of the same width.
  static Parameters longer_box(int dimension, int times) {
    Parameters bounds;
    for (int a = 0; a < dimension; ++a) {
      const std::string axis(1, "xyz"[a]);
      bounds[axis + "_min"] = 0.5 - 0.5 * times;
      bounds[axis + "_max"] = 0.5 + 0.5 * times;
    }
    return bounds;
  }
  static double greatest(const std::vector<double>& values) {
    double most = 0;
    for (double value : values) most = std::max(most, std::abs(value));
    return most;
  }
};
PARAISO_ON_BACKENDS(Acoustic);

/// What the difference of `order` makes of sin(k x), over -sin(k x), with the weights of Fornberg
/// (1988), table 1, where a cell is `angle` / k wide.
double symbol(int order, double angle) {
  static const std::map<int, std::vector<double>> weights{
      {2, {-2, 1}},
      {4, {-5.0 / 2, 4.0 / 3, -1.0 / 12}},
      {6, {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90}},
      {8, {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560}}};
  double sum = -weights.at(order)[0];
  for (int r = 1; r <= order / 2; ++r) sum -= 2 * weights.at(order)[r] * std::cos(r * angle);
  return sum;
}

/// The standing wave is an eigenvector of the differences too, so that it turns by the same angle
/// in every step: cos(angle) = 1 - (c dt)^2 eigenvalue / 2.
TEST_P(Acoustic, a_standing_wave_turns_by_its_angle) {
  for (int order : kOrders)
    for (const Size& size : {Size{33}, Size{12, 9}, Size{6, 8, 5}}) {
      const auto sound = begin("standing", size, {{"speed", 1.25}}, order);
      const double dt = sound->scalar("time_step");
      double eigenvalue = 0;
      for (std::int64_t n : size) {
        const double dx = 1.0 / static_cast<double>(n);
        eigenvalue += symbol(order, 2 * std::numbers::pi * dx) / (dx * dx);
      }
      const double angle = std::acos(1 - 1.25 * 1.25 * dt * dt * eigenvalue / 2);
      const auto start = cells(*sound, "now"), before = cells(*sound, "before");
      const int steps = 20;
      run_steps(*sound, steps);
      const auto end = cells(*sound, "now");
      for (std::size_t i = 0; i < start.size(); ++i) {
        const double sine_part = (start[i] * std::cos(angle) - before[i]) / std::sin(angle);
        EXPECT_NEAR(end[i],
                    start[i] * std::cos(steps * angle) + sine_part * std::sin(steps * angle), 1e-12)
            << "order " << order << ", " << size.size() << " dimensions, cell " << i;
      }
    }
}

/// (2 p_n - p_(n-1) - p_(n+1)) / (c dt)^2 p_n is the eigenvalue, whatever the time step.
TEST_P(Acoustic, the_order_in_space_is_the_one_asked_for) {
  for (int order : kOrders)
    for (int dimension : {1, 2}) {
      const auto error = [&](std::int64_t n) {
        const auto sound = begin("standing", Size(dimension, n), {}, order);
        const auto p0 = cells(*sound, "before"), p1 = cells(*sound, "now");
        const double dt = sound->scalar("time_step");
        run_steps(*sound, 1);
        const auto p2 = cells(*sound, "now");
        const std::size_t cell = p1.size() / 4 + p1.size() / n / 4;
        const double seen = (2 * p1[cell] - p0[cell] - p2[cell]) / (dt * dt * p1[cell]);
        return std::abs(seen / (4 * std::pow(std::numbers::pi, 2) * dimension) - 1);
      };
      EXPECT_NEAR(std::log2(error(16) / error(32)), order, 0.1) << dimension << " dimensions";
    }
}

TEST_P(Acoustic, converges_to_the_exact_solution) {
  for (int order : kOrders) {
    // Time steps in proportion to dx^(order / 2), so that both errors shrink alike.
    const auto error = [&](std::int64_t n) {
      const double courant = 0.8 * std::pow(8.0 / static_cast<double>(n), order / 2 - 1);
      const auto sound = begin("standing", {n}, {{"courant", courant}}, order);
      sound->set_scalar("time_limit", 0.3);
      while (sound->scalar("time") < 0.3) sound->run("proceed");
      sound->run("error");
      return sound->scalar("l1_error");
    };
    EXPECT_NEAR(std::log2(error(16) / error(32)), order, 0.15) << "order " << order;
  }
}

/// The last step is as short as the time limit says, and as right as the others.
TEST_P(Acoustic, cuts_the_last_step) {
  double dt = 0;
  const auto error = [&](double steps) {
    const auto sound = begin("standing", {64}, {{"courant", 0.2}});
    dt = sound->scalar("time_step");
    sound->set_scalar("time_limit", steps * dt);
    while (sound->scalar("time") < steps * dt) sound->run("proceed");
    EXPECT_EQ(sound->scalar("time"), steps * dt);
    sound->run("error");
    return sound->scalar("l1_error");
  };
  const double before = error(200), after = error(201);
  for (double part : {0.1, 0.5, 0.9})
    EXPECT_NEAR(error(200 + part), before + part * (after - before), 0.02 * before) << part;
}

/// In a closed box, with any medium and any pressure.
TEST_P(Acoustic, keeps_its_energy_in_every_medium) {
  for (int order : kOrders)
    for (const auto& [small, large] : {std::pair{Size{50}, Size{3000}},
                                       {Size{9, 12}, Size{64, 50}},
                                       {Size{6, 9, 7}, Size{20, 16, 24}}}) {
      const auto sound = begin("standing", is_compiled() ? large : small, {}, order);
      Rng rng(7);
      for (const std::string field : {"now", "before", "medium"}) {
        const auto view = sound->field(field);
        runtime::for_each_cell(sound->size(), [&](const Size& cell) {
          view.at<double>(cell) = field == "medium" ? rng.unit() + 1e-3 : 2 * rng.unit() - 1;
        });
      }
      Fluctuation seen;
      for (int i = 0; i < (is_compiled() ? 1000 : 100); ++i) {
        sound->run("totals");
        seen.see(sound->scalar("energy"));
        sound->run("proceed");
      }
      EXPECT_LT(seen.relative(), 1e-11) << "order " << order << ", " << small.size();
    }
}

/// A pulse in a short box against the same one in a box so long that nothing returns from its
/// sides: what differs was reflected. The layer leaves less than 5 % of what a wall reflects.
TEST_P(Acoustic, the_layer_absorbs) {
  const auto reflected = [](int dimension, std::int64_t n, double layer) {
    Parameters shot{{"source_depth", 0.5}, {"contrast", 1}, {"layer", layer}};
    const auto sound = begin("shot", Size(dimension, n), shot);
    shot.merge(longer_box(dimension, 3));
    const auto free = begin("shot", Size(dimension, 3 * n), shot);
    double difference = 0;
    while (sound->scalar("time") < 1.3) {
      run_steps(*sound, 1);
      run_steps(*free, 1);
      const auto p = sound->field("now"), q = free->field("now");
      runtime::for_each_cell(Size(dimension, n), [&](const Size& cell) {
        Size there = cell;
        for (auto& index : there) index += n;
        const auto off = [&](std::int64_t i) { return std::abs(2 * i + 1 - n) > 0.7 * n; };
        if (std::any_of(cell.begin(), cell.end(), off)) return;  // within the layer
        difference = std::max(difference, std::abs(p.at<double>(cell) - q.at<double>(there)));
      });
    }
    return difference;
  };
  EXPECT_LT(reflected(1, 96, 0.15), 0.05 * reflected(1, 96, 0));
  if (is_compiled()) {
    EXPECT_LT(reflected(2, 64, 0.15), 0.05 * reflected(2, 64, 0));
  }
}

/// However short the layer, and so however strong its friction, and however long the steps: once
/// the source is silent, energy is only lost.
TEST_P(Acoustic, the_layer_is_stable) {
  for (double courant : {0.3, 0.7, 0.95, 0.999})
    for (double layer : {0.02, 0.1, 0.6}) {
      const auto sound = begin("shot", {31, 25}, {{"courant", courant}, {"layer", layer}});
      while (sound->scalar("time") < 0.3) run_steps(*sound, 1);
      sound->run("totals");
      for (int i = 0; i < (is_compiled() ? 20 : 3); ++i) {
        const double before = sound->scalar("energy");
        run_steps(*sound, 50);
        sound->run("totals");
        EXPECT_LT(sound->scalar("energy"), before) << courant << " " << layer;
        EXPECT_GE(sound->scalar("energy"), 0) << courant << " " << layer;
      }
    }
}

/// When the source is silent again, the layers take what it gave.
TEST_P(Acoustic, the_energy_of_a_shot_leaves) {
  const auto sound = begin("shot", {80}, {{"layer", 0.25}});
  double most = 0;
  while (sound->scalar("time") < 3) {
    run_steps(*sound, 20);
    sound->run("totals");
    most = std::max(most, sound->scalar("energy"));
  }
  EXPECT_LT(sound->scalar("energy"), 1e-4 * most);
}

/// A wave between two speeds is reflected by (c2 - c1) / (c2 + c1).
TEST_P(Acoustic, a_faster_medium_reflects) {
  const auto sound = begin("shot", {400}, {{"contrast", 3}, {"courant", 0.9}});
  double incident = 0, reflected = 0;
  while (sound->scalar("time") < 0.6) {
    run_steps(*sound, 1);
    const double p = sound->field("now").get(Size{160}).to_double();  // 0.1 before the interface
    auto& seen = sound->scalar("time") < 0.35 ? incident : reflected;
    seen = std::max(seen, std::abs(p));
  }
  EXPECT_NEAR(reflected / incident, 0.5, 0.01);
}

/// The images of mirrors bit for bit, the images along other axes to round-off.
TEST_P(Acoustic, a_shot_is_symmetric) {
  const std::int64_t n = 17, last = n - 1;
  const auto sound = begin("shot", {n, n, n}, {{"source_depth", 0.5}, {"contrast", 1}});
  run_steps(*sound, 25);
  const auto p = sound->field("now");
  EXPECT_GT(greatest(cells(*sound, "now")), 1e-3);
  runtime::for_each_cell(sound->size(), [&](const Size& c) {
    const double here = p.at<double>(c);
    EXPECT_EQ(p.at<double>(Size{last - c[0], c[1], c[2]}), here);
    EXPECT_EQ(p.at<double>(Size{c[0], last - c[1], c[2]}), here);
    EXPECT_EQ(p.at<double>(Size{c[0], c[1], last - c[2]}), here);
    EXPECT_NEAR(p.at<double>(Size{c[1], c[2], c[0]}), here, 1e-13);
    EXPECT_NEAR(p.at<double>(Size{c[1], c[0], c[2]}), here, 1e-13);
  });
}

/// In three dimensions, the pressure is the source's wavelet over 4 pi r, later by r / c.
TEST_P(Acoustic, a_shot_in_three_dimensions_is_its_spherical_wave) {
  if (!is_compiled()) return;  // too many cells
  const std::int64_t n = 61, middle = n / 2;
  const double frequency = 6;
  const auto sound =
      begin("shot", {n, n, n},
            {{"source_depth", 0.5}, {"contrast", 1}, {"courant", 0.2}, {"frequency", frequency}});
  while (sound->scalar("time") < 0.45) run_steps(*sound, 1);
  const auto p = sound->field("now");
  const auto spherical = [&](double r) {
    const double phase = std::numbers::pi * (frequency * (sound->scalar("time") - r) - 1.5);
    return (1 - 2 * phase * phase) * std::exp(-phase * phase) / (4 * std::numbers::pi * r);
  };
  for (std::int64_t i = 8; i < 20; ++i) {
    const double r = static_cast<double>(i) / n;
    for (const Size& cell : {Size{middle + i, middle, middle}, Size{middle, middle - i, middle}})
      EXPECT_NEAR(p.at<double>(cell), spherical(r), 0.005) << i;
    EXPECT_NEAR(p.at<double>(Size{middle + i, middle + i, middle}), spherical(r * std::sqrt(2.0)),
                0.005)
        << i;
  }
}

TEST(AcousticOptions, have_all_orders) {
  const App app = acoustic();
  ASSERT_EQ(app.options.size(), 1u);
  std::set<std::string> orders;
  for (const OptionValue& value : app.options[0].values) orders.insert(value.name);
  EXPECT_EQ(orders, (std::set<std::string>{"2", "4", "6", "8"}));
  EXPECT_EQ(app.options[0].values[0].name, "8");
}

}  // namespace
}  // namespace paraiso::apps
