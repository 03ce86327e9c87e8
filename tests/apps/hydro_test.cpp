#include "apps/hydro/hydro.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "numerics/interpolation.hpp"
#include "numerics/riemann_solvers.hpp"
#include "numerics/time_marching.hpp"
#include "tests/apps/hydro_flows.hpp"

namespace paraiso {
namespace {

// --- meaning: one step is what the numerics compute on plain numbers ---

constexpr int kRing = 16;

/// The cells of a cyclic grid as one number, for the integrators.
struct Ring {
  using State = numerics::Conserved<double, 1>;
  std::array<State, kRing> cells{};
  Ring() = default;
  Ring(double all) { cells.fill({all, {all}, all}); }  // NOLINT: as numbers convert
  friend Ring operator+(const Ring& a, const Ring& b) { return joined(std::plus<>(), a, b); }
  friend Ring operator*(const Ring& a, const Ring& b) { return joined(std::multiplies<>(), a, b); }
  template <class F>
  static Ring joined(F f, const Ring& a, const Ring& b) {
    Ring result;
    for (int i = 0; i < kRing; ++i) result.cells[i] = zip(f, a.cells[i], b.cells[i]);
    return result;
  }
};

/// The methods of a choice, on plain numbers.
struct PlainScheme {
  numerics::LimiterFunction<double> limiter;
  numerics::RiemannFunction<double, 1, numerics::IdealGas<double>> riemann;
  numerics::IntegratorFunction<Ring, double> integrator;
};

template <class F>
F row_of(const Choices& choices, const std::string& option, const numerics::Methods<F>& rows) {
  for (const Choice& choice : choices.all())
    for (const auto& row : rows)
      if (choice.option == option && choice.value == row.name) return row.function;
  ADD_FAILURE() << option;
  return rows[0].function;
}

PlainScheme plain_scheme(const std::vector<std::string>& assignments) {
  const Choices choices = choose(apps::hydro(), "entropy_wave", assignments);
  return {row_of(choices, "limiter", numerics::limiters<double>()),
          row_of(choices, "riemann",
                 numerics::riemann_solvers<double, 1, numerics::IdealGas<double>>()),
          row_of(choices, "integrator", numerics::integrators<Ring, double>())};
}

Ring plain_step(const Ring& start, double dt, const numerics::IdealGas<double>& gas,
                const PlainScheme& scheme) {
  const auto change = [&](const Ring& now, double time, const std::string&) {
    const auto cell = [&](int i) {
      return numerics::primitive(now.cells[(i + 2 * kRing) % kRing], gas);
    };
    const auto faces = [&](int i) {
      return numerics::linear_faces(cell(i - 1), cell(i), cell(i + 1), scheme.limiter);
    };
    const auto flux = [&](int i) {
      return scheme.riemann(faces(i).upper, faces(i + 1).lower, Axis<1>(0), gas);
    };
    Ring result;
    for (int i = 0; i < kRing; ++i)
      result.cells[i] =
          zip([&](double below, double above) { return time * kRing * (below - above); },
              flux(i - 1), flux(i));
    return result;
  };
  return scheme.integrator(start, dt, change);
}

TEST(Hydro, OneStepIsTheSchemeOnPlainNumbersBitForBit) {
  auto methods = other_choices({"riemann", "limiter", "integrator"});
  methods.push_back("riemann=hllc");  // the default of each
  for (const std::string& choice : methods) {
    SCOPED_TRACE(choice);
    const auto flow =
        interpreted({"entropy_wave", 1, om::Element::f64, Numbers::strict, 1, {choice}}, {kRing});
    flow->run("entropy_wave");
    Ring start;
    const auto density = cells(*flow, "density"), momentum = cells(*flow, "momentum_x"),
               energy = cells(*flow, "energy");
    for (int i = 0; i < kRing; ++i) start.cells[i] = {density[i], {momentum[i]}, energy[i]};
    const double dt = flow->scalar("time_step");
    flow->run("proceed");
    const Ring next = plain_step(start, dt, {flow->scalar("gamma")}, plain_scheme({choice}));
    for (int i = 0; i < kRing; ++i) {
      EXPECT_EQ(cells(*flow, "density")[i], next.cells[i].density) << i;
      EXPECT_EQ(cells(*flow, "momentum_x")[i], next.cells[i].momentum.components[0]) << i;
      EXPECT_EQ(cells(*flow, "energy")[i], next.cells[i].energy) << i;
    }
  }
}

TEST(Hydro, IsTheSameInEveryDimensionBitForBit) {
  std::vector<double> straight;
  for (int dimension : {1, 2, 3}) {
    Size size(dimension, 3);
    size[0] = 24;
    const auto flow = interpreted({"sod", dimension, om::Element::f64, Numbers::strict}, size);
    flow->set_scalar("fixed_time_step", 0.01);
    flow->run("sod");
    run_steps(*flow, 4);
    const auto density = cells(*flow, "density");
    if (dimension == 1) straight = density;
    for (std::size_t i = 0; i < density.size(); ++i)
      EXPECT_EQ(density[i], straight[i % 24]) << dimension << " " << i;
  }
}

// --- accuracy ---

double end_of(const std::string& problem) { return problem == "sod" ? 0.125 : 1; }

/// The L1 error of the density, per cell count along x.
std::map<int, double> errors(const std::string& problem, int dimension, int largest,
                             const std::vector<std::string>& choices = {}) {
  std::map<int, double> found;
  const double until = end_of(problem);
  for (int n = 64; n <= largest; n *= 2) {
    const auto flow = compiled({problem, dimension, om::Element::f64, Numbers::fma, 1, choices},
                               Size(dimension, n));
    run_until(*flow, problem, until);
    flow->run("error");
    found[n] = flow->scalar("l1_error");
  }
  return found;
}

double order(std::map<int, double> errors, int coarse, int fine) {
  return std::log2(errors.at(coarse) / errors.at(fine)) / std::log2(double(fine) / coarse);
}

struct Accuracy {
  const char* problem;
  double least_order, largest_error;  // straight, 64 to 512 cells; at 256 cells
};

void PrintTo(const Accuracy& test, std::ostream* out) { *out << test.problem; }

class HydroAccuracy : public testing::TestWithParam<Accuracy> {};

TEST_P(HydroAccuracy, ConvergesToTheExactSolution) {
  const auto& [problem, least_order, largest_error] = GetParam();
  const auto straight = errors(problem, 1, 512);
  EXPECT_GE(order(straight, 64, 512), least_order);
  EXPECT_LE(straight.at(256), largest_error);
}

TEST_P(HydroAccuracy, ConvergesAsWellTurnedBy60Degrees) {
  const std::string problem = GetParam().problem;
  const auto straight = errors(problem, 1, 256), turned = errors(problem, 2, 256, {"turned=60"});
  EXPECT_NEAR(order(turned, 64, 256), order(straight, 64, 256), 0.15);
  EXPECT_LE(turned.at(256), 2 * straight.at(256));
}

INSTANTIATE_TEST_SUITE_P(Problems, HydroAccuracy,
                         testing::Values(Accuracy{"entropy_wave", 1.6, 1.7e-3},
                                         Accuracy{"sound_wave", 1.6, 3e-8},
                                         Accuracy{"sod", 0.75, 3.4e-3}),
                         testing::PrintToStringParamName());

/// Of a scheme, 64 to 256 cells: what is seen, rounded a little to the worse.
struct SchemeAccuracy {
  const char* choice;
  const char* problem;
  double least_order, largest_error;  // at 256 cells
};

constexpr SchemeAccuracy kSchemes[] = {
    {"riemann=hll", "sod", 0.8, 3.5e-3},
    {"riemann=hll", "entropy_wave", 1.8, 1.9e-3},
    {"riemann=hll", "sound_wave", 1.8, 2.8e-8},
    {"riemann=rusanov", "sod", 0.8, 4.2e-3},
    {"riemann=rusanov", "entropy_wave", 1.8, 3.1e-3},
    {"riemann=rusanov", "sound_wave", 1.8, 2.8e-8},
    {"limiter=van_albada", "sod", 0.8, 2.6e-3},
    {"limiter=van_albada", "entropy_wave", 1.95, 8.2e-4},
    {"limiter=van_albada", "sound_wave", 1.95, 1.6e-8},
    {"limiter=van_leer", "sod", 0.85, 2.3e-3},
    {"limiter=van_leer", "entropy_wave", 1.95, 5.9e-4},
    {"limiter=van_leer", "sound_wave", 1.9, 1.3e-8},
    {"limiter=mc", "sod", 0.9, 2.0e-3},
    {"limiter=mc", "entropy_wave", 1.9, 4.6e-4},
    {"limiter=mc", "sound_wave", 1.85, 1.1e-8},
    {"limiter=superbee", "sod", 1.05, 1.4e-3},
    {"limiter=superbee", "entropy_wave", 1.7, 1.2e-3},
    {"limiter=superbee", "sound_wave", 1.7, 1.9e-8},
    {"integrator=heun", "sod", 0.8, 3.4e-3},
    {"integrator=heun", "entropy_wave", 1.75, 1.7e-3},
    {"integrator=heun", "sound_wave", 1.8, 2.8e-8},
    {"integrator=ssp_rk3", "sod", 0.8, 3.3e-3},
    {"integrator=ssp_rk3", "entropy_wave", 1.75, 1.7e-3},
    {"integrator=ssp_rk3", "sound_wave", 1.75, 2.7e-8},
};

TEST(HydroSchemes, ConvergeToTheExactSolution) {
  for (const auto& [choice, problem, least_order, largest_error] : kSchemes) {
    std::map<int, double> found;
    for (int n : {64, 256}) {
      const auto flow = interpreted({problem, 1, om::Element::f64, Numbers::fma, 1, {choice}}, {n});
      run_until(*flow, problem, end_of(problem));
      flow->run("error");
      found[n] = flow->scalar("l1_error");
    }
    EXPECT_GE(order(found, 64, 256), least_order) << choice << " " << problem;
    EXPECT_LE(found.at(256), largest_error) << choice << " " << problem;
  }
}

TEST(HydroSchemes, AreAllMeasured) {
  for (const std::string& choice : other_choices({"riemann", "limiter", "integrator"}))
    for (const std::string problem : {"sod", "entropy_wave", "sound_wave"})
      EXPECT_EQ(std::ranges::count_if(kSchemes,
                                      [&](const SchemeAccuracy& one) {
                                        return choice == one.choice && problem == one.problem;
                                      }),
                1)
          << choice << " " << problem;
}

// --- the time step ---

TEST(Hydro, TakesTheTimeStepOfTheNewStateAndStopsAtTheLimit) {
  const auto flow = compiled({"blast"}, {32, 32});
  flow->run("blast");
  double time = 0;
  for (int i = 0; i < 5; ++i) {
    double longest = INFINITY;
    const double gamma = flow->scalar("gamma");
    const auto rho = cells(*flow, "density"), mx = cells(*flow, "momentum_x"),
               my = cells(*flow, "momentum_y"), e = cells(*flow, "energy");
    for (std::size_t c = 0; c < rho.size(); ++c) {
      const double kinetic = (mx[c] * mx[c] + my[c] * my[c]) / (2 * rho[c]);
      const double sound = std::sqrt(gamma * (gamma - 1) * (e[c] - kinetic) / rho[c]);
      const double speed = (std::abs(mx[c]) + std::abs(my[c])) / rho[c] + 2 * sound;
      longest = std::min(longest, 1.0 / 32 / speed);
    }
    const double dt = flow->scalar("time_step");
    EXPECT_NEAR(dt / (flow->scalar("courant") * longest), 1, 1e-12);
    flow->run("proceed");
    time += dt;
    EXPECT_DOUBLE_EQ(flow->scalar("time"), time);
  }
  flow->set_scalar("time_limit", time + 1e-5);
  flow->run("proceed");
  EXPECT_EQ(flow->scalar("time"), time + 1e-5);
  const auto before = cells(*flow, "density");
  flow->run("proceed");
  EXPECT_EQ(flow->scalar("time"), time + 1e-5);
  EXPECT_EQ(cells(*flow, "density"), before);
}

// --- every problem ---

void expect_positive(const Setup& setup) {
  const auto flow = interpreted(setup, Size(setup.dimension, 7));
  flow->run(setup.problem);
  run_steps(*flow, 2);
  EXPECT_GT(least(*flow, "density"), 0) << setup.problem << setup.dimension;
  EXPECT_GT(least(*flow, "energy"), 0) << setup.problem << setup.dimension;
  EXPECT_GT(flow->scalar("time"), 0) << setup.problem << setup.dimension;
}

TEST(Hydro, EveryProblemStaysPositiveInEveryDimensionAndPrecision) {
  int turned = 0;
  const App app = apps::hydro();
  for (const auto& problem : app.problems)
    for (int dimension : {1, 2, 3})
      for (auto precision : {om::Element::f32, om::Element::f64}) {
        if (dimension == 1 && problem.name == "kelvin_helmholtz") continue;
        expect_positive({problem.name, dimension, precision});
        if (dimension == 1 || !app.options.back().is_of(problem.name)) continue;
        expect_positive({problem.name, dimension, precision, Numbers::fma, 1, {"turned=60"}});
        ++turned;
      }
  EXPECT_EQ(turned, 12);
}

TEST(HydroSchemes, StayPositiveInEveryProblem) {
  const App app = apps::hydro();
  for (const std::string& choice : other_choices({"riemann", "limiter", "integrator"}))
    for (const auto& problem : app.problems) {
      SCOPED_TRACE(choice);
      expect_positive({problem.name, 2, om::Element::f64, Numbers::fma, 1, {choice}});
    }
}

std::string refusal(const std::string& problem, const std::vector<std::string>& choices) {
  try {
    (void)machine({problem, 1, om::Element::f64, Numbers::fma, 1, choices});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Hydro, RefusesWhatNeedsMoreDimensions) {
  EXPECT_EQ(refusal("sod", {"turned=60"}), "error: `turned=60` needs 2 or 3 dimensions");
  EXPECT_EQ(refusal("kelvin_helmholtz", {}),
            "error: problem `kelvin_helmholtz` needs 2 or 3 dimensions");
}

TEST(Hydro, AJetStaysPositiveInBothPrecisions) {
  for (auto precision : {om::Element::f32, om::Element::f64}) {
    const auto flow = compiled({"jet", 2, precision}, {128, 64});
    flow->run("jet");
    run_steps(*flow, 1000);
    EXPECT_GT(least(*flow, "density"), 0);
    EXPECT_GT(least(*flow, "energy"), 0);
    EXPECT_TRUE(flow->scalar("time_step") > 0);
  }
}

TEST(HydroSchemes, KeepAJetPositive) {
  for (const std::string& choice : other_choices({"riemann"})) {
    const auto flow = compiled({"jet", 2, om::Element::f64, Numbers::fma, 1, {choice}}, {128, 64});
    flow->run("jet");
    run_steps(*flow, 1000);
    EXPECT_GT(least(*flow, "density"), 0) << choice;
    EXPECT_GT(least(*flow, "energy"), 0) << choice;
    EXPECT_TRUE(flow->scalar("time_step") > 0) << choice;
  }
}

TEST(Hydro, AJetIsBlownInAtTheNozzleOnly) {
  const auto flow = interpreted({"jet"}, {16, 20});
  flow->set_scalar("nozzle_radius", 0.1);
  flow->run("jet");
  flow->run("proceed");
  const auto momentum = flow->field("momentum_x");
  for (std::int64_t j = 0; j < 20; ++j) {
    const bool nozzle = std::abs((j + 0.5) / 20 - 0.5) < 0.1;
    EXPECT_EQ(momentum.at<double>(Size{0, j}) > 0.1, nozzle) << j;
    EXPECT_EQ(momentum.at<double>(Size{15, j}), 0) << j;
  }
}

}  // namespace
}  // namespace paraiso
