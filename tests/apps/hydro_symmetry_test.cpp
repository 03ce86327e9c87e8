// What flows of gases keep: mass, momentum, energy, and mirror images bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "paraiso/base/rng.hpp"
#include "tests/apps/hydro_flows.hpp"

namespace paraiso {
namespace {

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

TEST(HydroSchemes, KeepMassMomentumAndEnergy) {
  for (const std::string& choice : other_choices({"riemann", "limiter", "integrator"})) {
    SCOPED_TRACE(choice);
    const auto flow =
        interpreted({"kelvin_helmholtz", 2, om::Element::f64, Numbers::fma, 1, {choice}}, {24, 20});
    flow->run("kelvin_helmholtz");
    const auto start = totals(*flow);
    run_steps(*flow, 60);
    for (const auto& [field, value] : totals(*flow))
      EXPECT_NEAR((value - start.at(field)) / start.at(field[0] == 'e' ? "energy" : "density"), 0,
                  2e-14)
          << field;
  }
}

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

/// The default scheme as generated code, others in the interpreter.
Fields stepped(const std::string& problem, const Fields& start, const std::string& choice = "") {
  Setup setup{problem, 2, om::Element::f64, Numbers::strict};
  if (!choice.empty()) setup.choices = {choice};
  const auto flow =
      choice.empty() ? compiled(setup, {kEdge, kEdge}) : interpreted(setup, {kEdge, kEdge});
  flow->set_scalar("fixed_time_step", 1.0 / 512);
  flow->run(problem);
  for (const auto& [name, values] : start) {
    const auto view = flow->field(name);
    std::size_t i = 0;
    runtime::for_each_cell(flow->size(), [&, &values = values](const Size& cell) {
      view.at<double>(cell) = values[i++];
    });
  }
  run_steps(*flow, choice.empty() ? 30 : 10);
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

void expect_commutes(const std::string& problem, Fields (*image)(const Fields&),
                     const std::string& choice = "") {
  const Fields start = random_fields();
  const Fields seen = stepped(problem, image(start), choice),
               expected = image(stepped(problem, start, choice));
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

TEST(HydroSchemes, StepImagesToImagesBitForBit) {
  for (const std::string& choice : other_choices({"riemann", "limiter", "integrator"})) {
    SCOPED_TRACE(choice);
    expect_commutes("kelvin_helmholtz", mirrored<0>, choice);
    expect_commutes("blast", mirrored<1>, choice);
    expect_commutes("blast", transposed, choice);
  }
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

}  // namespace
}  // namespace paraiso
