#include "apps/hydro/hydro.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "numerics/hllc.hpp"
#include "numerics/interpolation.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/fields/state.hpp"

namespace paraiso {
namespace {

using passes::Numbers;
using Size = std::vector<std::int64_t>;
using Flow = std::unique_ptr<runtime::Instance>;

struct Choice {
  std::string problem;
  int dimension = 2;
  om::Element precision = om::Element::f64;
  Numbers numbers = Numbers::fma;
  int threads = 1;  // tests run side by side
  auto operator<=>(const Choice&) const = default;
};

om::Machine machine(const Choice& choice) {
  return passes::prepare(apps::hydro().build({choice.dimension, choice.precision, choice.problem}),
                         choice.numbers);
}

/// Generated code under the default schedule; each choice is compiled once.
Flow compiled(const Choice& choice, const Size& size) {
  static std::map<Choice, runtime::Library> libraries;
  auto found = libraries.find(choice);
  if (found == libraries.end()) {
    const auto program = machine(choice);
    const auto schedule = plan::default_schedule(program);
    runtime::CompileOptions options;
    options.cache = PARAISO_BINARY_DIR "/test_cache";
    options.threads = choice.threads;
    found = libraries.emplace(choice, runtime::compile(plan::make_plan(program, schedule), options))
                .first;
  }
  return found->second.instance(size);
}

Flow interpreted(const Choice& choice, const Size& size) {
  return runtime::interpreter_instance(machine(choice), size);
}

void run_steps(runtime::Instance& flow, int steps) {
  for (int i = 0; i < steps; ++i) flow.run("proceed");
}

void run_until(runtime::Instance& flow, const std::string& problem, double until) {
  flow.set_scalar("time_limit", until);
  flow.run(problem);
  while (flow.scalar("time") < until) flow.run("proceed");
}

/// The core cells of a field, axis 0 fastest.
std::vector<double> cells(runtime::Instance& flow, const std::string& field) {
  std::vector<double> values;
  const auto view = flow.field(field);
  runtime::for_each_cell(flow.size(),
                         [&](const Size& cell) { values.push_back(view.get(cell).to_double()); });
  return values;
}

double least(runtime::Instance& flow, const std::string& field) {
  double value = INFINITY;
  for (double v : cells(flow, field)) value = v < value ? v : std::isnan(v) ? -INFINITY : value;
  return value;
}

// --- meaning: one step is what the numerics compute on plain numbers ---

TEST(Hydro, OneStepIsTheSchemeOnPlainNumbersBitForBit) {
  using namespace numerics;
  constexpr int kCells = 16;
  const auto flow = interpreted({"entropy_wave", 1, om::Element::f64, Numbers::strict}, {kCells});
  flow->run("entropy_wave");
  const auto density = cells(*flow, "density"), momentum = cells(*flow, "momentum_x"),
             energy = cells(*flow, "energy");
  const double dt = flow->scalar("time_step");
  flow->run("proceed");

  using State = std::array<Conserved<double, 1>, kCells>;
  const IdealGas<double> gas{flow->scalar("gamma")};
  const Axis<1> x(0);
  const auto change = [&](const State& now, double time) {
    const auto wrap = [](int i) { return (i + 2 * kCells) % kCells; };
    const auto faces = [&](int i) {
      return linear_faces(primitive(now[wrap(i - 1)], gas), primitive(now[wrap(i)], gas),
                          primitive(now[wrap(i + 1)], gas), minmod);
    };
    const auto flux = [&](int i) { return hllc(faces(i).upper, faces(i + 1).lower, x, gas); };
    State result;
    for (int i = 0; i < kCells; ++i)
      result[i] = zip([&](double below, double above) { return time * kCells * (below - above); },
                      flux(i - 1), flux(i));
    return result;
  };
  const auto add = [](const State& a, const State& b) {
    State result;
    for (int i = 0; i < kCells; ++i)
      result[i] = zip([](double u, double v) { return u + v; }, a[i], b[i]);
    return result;
  };
  State start;
  for (int i = 0; i < kCells; ++i) start[i] = {density[i], {momentum[i]}, energy[i]};
  const State half = add(start, change(start, dt / 2)), next = add(start, change(half, dt));
  for (int i = 0; i < kCells; ++i) {
    EXPECT_EQ(cells(*flow, "density")[i], next[i].density) << i;
    EXPECT_EQ(cells(*flow, "momentum_x")[i], next[i].momentum[x]) << i;
    EXPECT_EQ(cells(*flow, "energy")[i], next[i].energy) << i;
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

/// The L1 error of the density, per cell count along x.
std::map<int, double> errors(const std::string& problem, int dimension, int largest) {
  std::map<int, double> found;
  const double until = problem.starts_with("sod") ? 0.125 : 1;
  for (int n = 64; n <= largest; n *= 2) {
    const auto flow = compiled({problem, dimension}, Size(dimension, n));
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
  const auto straight = errors(problem, 1, 256), turned = errors(problem + "_turned", 2, 256);
  EXPECT_NEAR(order(turned, 64, 256), order(straight, 64, 256), 0.15);
  EXPECT_LE(turned.at(256), 2 * straight.at(256));
}

INSTANTIATE_TEST_SUITE_P(Problems, HydroAccuracy,
                         testing::Values(Accuracy{"entropy_wave", 1.6, 1.7e-3},
                                         Accuracy{"sound_wave", 1.6, 3e-8},
                                         Accuracy{"sod", 0.75, 3.4e-3}),
                         testing::PrintToStringParamName());

// --- conservation ---

long double total(runtime::Instance& flow, const std::string& field) {
  long double sum = 0;
  for (double value : cells(flow, field)) sum += value;
  return sum;
}

/// Of the unit box.
std::map<std::string, double> totals(runtime::Instance& flow) {
  std::map<std::string, double> found;
  for (const auto& entry : flow.machine().statics)
    if (entry.type.realm == om::Realm::local)
      found[entry.name] =
          static_cast<double>(total(flow, entry.name) / runtime::cell_count(flow.size()));
  return found;
}

void expect_totals_as_stored(runtime::Instance& flow) {
  flow.run("totals");
  const auto sums = totals(flow);
  EXPECT_NEAR(flow.scalar("total_mass") / sums.at("density"), 1, 1e-14);
  EXPECT_NEAR(flow.scalar("total_energy") / sums.at("energy"), 1, 1e-14);
}

struct CyclicFlow {
  std::string problem;
  Size size;
};

void PrintTo(const CyclicFlow& flow, std::ostream* out) {
  *out << flow.problem << flow.size.size() << "d";
}

class HydroConservation : public testing::TestWithParam<CyclicFlow> {};

TEST_P(HydroConservation, KeepsMassMomentumAndEnergyWithAnyNumberOfThreads) {
  const auto& [problem, size] = GetParam();
  std::map<std::string, double> ends;  // of one thread
  for (const int threads : {1, 2, 3}) {
    const int dimension = static_cast<int>(size.size());
    const auto flow = compiled({problem, dimension, om::Element::f64, Numbers::fma, threads}, size);
    flow->run(problem);
    expect_totals_as_stored(*flow);
    const auto start = totals(*flow);
    const double mass = flow->scalar("total_mass"), energy = flow->scalar("total_energy");
    run_steps(*flow, 300);
    expect_totals_as_stored(*flow);
    const auto end = totals(*flow);
    EXPECT_NEAR(flow->scalar("total_mass") / mass, 1, 2e-14);
    EXPECT_NEAR(flow->scalar("total_energy") / energy, 1, 2e-14);
    for (const auto& [field, value] : end)
      EXPECT_NEAR((value - start.at(field)) / start.at(field[0] == 'e' ? "energy" : "density"), 0,
                  2e-14)
          << field;
    if (threads == 1) ends = end;
    EXPECT_EQ(end, ends) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Hydro, HydroConservation,
                         testing::Values(CyclicFlow{"entropy_wave", {200}},
                                         CyclicFlow{"kelvin_helmholtz", {96, 80}},
                                         CyclicFlow{"entropy_wave", {12, 9, 10}}),
                         testing::PrintToStringParamName());

// --- symmetry: strict arithmetic, two dimensions, a fixed time step ---

constexpr std::int64_t kEdge = 24;
using Fields = std::map<std::string, std::vector<double>>;
/// Where a cell of the image comes from.
using Image = std::function<Size(const Size&)>;

Fields random_fields() {
  Rng rng(11);
  Fields fields;
  for (int i = 0; i < kEdge * kEdge; ++i) {
    fields["density"].push_back(0.5 + rng.unit());
    fields["momentum_x"].push_back(2 * rng.unit() - 1);
    fields["momentum_y"].push_back(2 * rng.unit() - 1);
    fields["energy"].push_back(4 + 4 * rng.unit());
  }
  return fields;
}

Fields stepped(const std::string& problem, const Fields& start) {
  const auto flow = compiled({problem, 2, om::Element::f64, Numbers::strict}, {kEdge, kEdge});
  flow->set_scalar("fixed_time_step", 1.0 / 512);
  flow->run(problem);
  for (const auto& [name, values] : start) {
    const auto view = flow->field(name);
    std::size_t i = 0;
    runtime::for_each_cell(flow->size(), [&, &values = values](const Size& cell) {
      view.at<double>(cell) = values[i++];
    });
  }
  run_steps(*flow, 30);
  Fields end;
  for (const auto& [name, values] : start) end[name] = cells(*flow, name);
  return end;
}

std::vector<double> moved(const std::vector<double>& values, const Image& image, double sign = 1) {
  std::vector<double> result;
  runtime::for_each_cell({kEdge, kEdge}, [&](const Size& cell) {
    const Size from = image(cell);
    result.push_back(sign * values[from[0] + kEdge * from[1]]);
  });
  return result;
}

template <int axis>
Fields mirrored(const Fields& f) {
  const Image image = [](Size c) {
    c[axis] = kEdge - 1 - c[axis];
    return c;
  };
  return {{"density", moved(f.at("density"), image)},
          {"momentum_x", moved(f.at("momentum_x"), image, axis == 0 ? -1 : 1)},
          {"momentum_y", moved(f.at("momentum_y"), image, axis == 1 ? -1 : 1)},
          {"energy", moved(f.at("energy"), image)}};
}

Fields transposed(const Fields& f) {
  const Image image = [](const Size& c) { return Size{c[1], c[0]}; };
  return {{"density", moved(f.at("density"), image)},
          {"momentum_x", moved(f.at("momentum_y"), image)},
          {"momentum_y", moved(f.at("momentum_x"), image)},
          {"energy", moved(f.at("energy"), image)}};
}

void expect_commutes(const std::string& problem, Fields (*image)(const Fields&)) {
  const Fields start = random_fields();
  const Fields seen = stepped(problem, image(start)), expected = image(stepped(problem, start));
  for (const auto& [name, values] : expected)
    for (std::size_t i = 0; i < values.size(); ++i)  // zeros of either sign are equal
      ASSERT_EQ(seen.at(name)[i], values[i]) << name << " " << i;
}

TEST(Hydro, StepsTheMirrorImageToTheMirrorImageBitForBit) {
  for (const auto image : {mirrored<0>, mirrored<1>}) {
    expect_commutes("kelvin_helmholtz", image);
    expect_commutes("blast", image);
  }
}

TEST(Hydro, StepsTheTransposedStateToTheTransposedStateBitForBit) {
  expect_commutes("kelvin_helmholtz", transposed);
  expect_commutes("blast", transposed);
}

TEST(Hydro, KeepsABlastSymmetricBitForBit) {
  const auto flow = compiled({"blast", 2, om::Element::f64, Numbers::strict}, {64, 64});
  flow->run("blast");
  run_steps(*flow, 100);
  const auto view = flow->field("density");
  runtime::for_each_cell(flow->size(), [&](const Size& c) {
    const double here = view.at<double>(c);
    ASSERT_EQ(here, view.at<double>(Size{63 - c[0], c[1]}));
    ASSERT_EQ(here, view.at<double>(Size{c[0], 63 - c[1]}));
    ASSERT_EQ(here, view.at<double>(Size{c[1], c[0]}));
  });
  EXPECT_LT(least(*flow, "density"), 0.5);
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

TEST(Hydro, EveryProblemStaysPositiveInEveryDimensionAndPrecision) {
  for (const auto& problem : apps::hydro().problems)
    for (int dimension : {1, 2, 3})
      for (auto precision : {om::Element::f32, om::Element::f64}) {
        if (dimension == 1 &&
            (problem.name.ends_with("_turned") || problem.name == "kelvin_helmholtz"))
          continue;
        const auto flow = interpreted({problem.name, dimension, precision}, Size(dimension, 7));
        flow->run(problem.name);
        run_steps(*flow, 2);
        EXPECT_GT(least(*flow, "density"), 0) << problem.name << dimension;
        EXPECT_GT(least(*flow, "energy"), 0) << problem.name << dimension;
        EXPECT_GT(flow->scalar("time"), 0) << problem.name << dimension;
      }
}

TEST(Hydro, RefusesAProblemThatNeedsMoreDimensions) {
  for (std::string problem : {"sod_turned", "kelvin_helmholtz"}) {
    try {
      apps::hydro().build({1, om::Element::f64, problem});
      ADD_FAILURE() << problem;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(),
                   ("error: problem `" + problem + "` needs 2 or 3 dimensions").c_str());
    }
  }
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
