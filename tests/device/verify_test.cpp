// Every solver runs on devices, by OpenCL and as CUDA's text, with the interpreter's bits: under
// the default schedule in every dimension and precision, the modes in turn, and a random one in
// every dimension; and so do random programs, and some of those that are kept because they once
// went wrong, with single steps and several in one kernel, in both modes. scripts/test-long.sh has
// many of each, all modes and all kept programs.
// PARAISO_PROGRAMS sets how many random programs (4), PARAISO_SEED the first seed (1);
// PARAISO_KEPT=1 asks for all kept programs, PARAISO_OPTIMIZED=1 for optimized kernels.
#include "paraiso/verify/verify_backend.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "apps/apps.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/schedule/random_schedule.hpp"
#include "tests/device/backends.hpp"
#include "tests/differential/programs.hpp"
#include "tests/differential/random_cases.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {
namespace {

using passes::Numbers;

/// A way to build an app.
struct AppCase {
  int dimension;
  om::Element precision;
  Numbers numbers = Numbers::fma;
  int fused = 1;  // steps in one kernel
};

/// Every dimension and precision, `strict` and `fma` in turn (scripts/test-long.sh has all pairs).
std::vector<AppCase> cases_of(const App& app) {
  std::vector<AppCase> list;
  for (const int dimension : app.dimensions)
    for (const om::Element precision : app.precisions)
      list.push_back({dimension, precision, list.size() % 2 == 0 ? Numbers::fma : Numbers::strict});
  if (list.size() == 1) {
    list.push_back(list.front());
    list.back().numbers = Numbers::strict;
  }
  if (app.name == "heat") list.push_back({2, om::Element::f64, Numbers::fma, 3});
  if (app.name == "acoustic") list.push_back({2, om::Element::f32, Numbers::fma, 2});
  return list;
}

/// A problem that an app has in so many dimensions.
std::string problem_of(const App& app, int dimension) {
  return app.name == "hydro" && dimension > 1 ? "jet" : app.problems[0].name;
}

/// Few cells, halos wider than the grid, long rows.
std::vector<std::vector<std::int64_t>> sizes(int dimension) {
  switch (dimension) {
    case 1: return {{1}, {2}, {3}, {7}, {543}};
    case 2: return {{1, 2}, {4, 3}, {7, 5}, {67, 9}};
    case 3: return {{1, 2, 3}, {4, 1, 5}, {35, 6, 3}};
    default: return {{1, 2, 3, 4}, {5, 2, 1, 3}};
  }
}

/// Programs, each under one schedule, and what they are compared by.
struct Trials {
  std::vector<plan::Plan> plans;
  std::vector<verify::VerifyOptions> options;
  std::vector<std::string> names;
};

/// The default schedule of each case; or else a random one in each dimension, but of apps that take
/// long.
Trials trials_of(const App& app, const runtime::Backend& backend, bool as_usual) {
  Rng rng(1);
  Trials trials;
  for (const AppCase& one : cases_of(app)) {
    const std::string problem = problem_of(app, one.dimension);
    const om::Machine machine = app.build({one.dimension, one.precision, problem});
    const passes::Fused fused = passes::fuse(passes::prepare(machine, one.numbers), one.fused);
    verify::VerifyOptions options;
    options.backend = &backend;
    options.sizes = sizes(one.dimension);
    options.problems = {problem};
    options.steps = 2;
    options.fusion = fused.fusion;
    const std::string name = fmt::format("{}d {} {} {}", one.dimension, om::name(one.precision),
                                         passes::name(one.numbers), one.fused);
    const bool large = (app.name == "hydro" || app.name == "mhd") && one.dimension > 1;
    const bool varied = !large && (one.precision == app.precisions.front() || one.fused > 1);
    if (!as_usual && !varied) continue;
    plan::Schedule schedule = backend.default_schedule(fused.machine, {});
    if (!as_usual)
      schedule = plan::vary(plan::genes(fused.machine, backend.options), schedule, rng);
    trials.plans.push_back(backend.make_plan(fused.machine, schedule));
    trials.options.push_back(options);
    trials.names.push_back(name);
  }
  return trials;
}

void expect_bits(const Trials& trials, const runtime::Backend& backend,
                 const runtime::CompileOptions& options) {
  constexpr std::size_t kTogether = 12;
  const std::span<const plan::Plan> all = trials.plans;
  for (std::size_t first = 0; first < all.size(); first += kTogether) {
    const auto plans = all.subspan(first, std::min(kTogether, all.size() - first));
    const auto libraries = backend.compile(plans, options);
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      const auto difference = verify::verify_library(libraries[i], trials.options[first + i]);
      ASSERT_FALSE(difference) << trials.names[first + i] << ": " << difference->text() << "\n"
                               << plan::print(plans[i].schedule, plans[i].machine);
    }
  }
}

using AppOn = std::tuple<DeviceBackend, std::string>;

class OnDevice : public testing::TestWithParam<AppOn> {};

TEST_P(OnDevice, EqualsTheInterpreter) {
  const auto& [device, name] = GetParam();
  PARAISO_NEEDS_BACKEND(device);
  const App& app = *std::ranges::find(apps::built_in(), name, &App::name);
  const runtime::Backend& backend = device.row();
  expect_bits(trials_of(app, backend, true), backend, test_build());
  expect_bits(trials_of(app, backend, false), backend, quick_build(backend));
}

std::vector<std::string> app_names() {
  std::vector<std::string> names;
  for (const App& app : apps::built_in()) names.push_back(app.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Apps, OnDevice,
                         testing::Combine(testing::ValuesIn(device_backends()),
                                          testing::ValuesIn(app_names())),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param).label,
                                              std::get<1>(info.param));
                         });

class RandomProgramsOnDevice : public testing::TestWithParam<DeviceBackend> {};

TEST_P(RandomProgramsOnDevice, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const bool quick = backend.name == std::string("cuda");  // as C++, a dozen as one
  const auto programs = test::setting("PARAISO_PROGRAMS", quick ? 12 : 4);
  const auto first_seed = static_cast<std::uint64_t>(test::setting("PARAISO_SEED", 1));
  fmt::print("{} programs on {}, seeds from {}\n", programs, backend.name, first_seed);
  constexpr std::size_t kTogether = 12;
  for (std::int64_t done = 0; done < programs;) {
    std::vector<test::RandomCase> drawn;
    std::vector<plan::Plan> plans;
    for (; done < programs && drawn.size() < kTogether; ++done) {
      drawn.push_back(test::random_case(first_seed + static_cast<std::uint64_t>(done)));
      const om::Machine& program = drawn.back().program;
      const auto genes = plan::genes(program, backend.options);
      plans.push_back(backend.make_plan(program, plan::random_schedule(genes, drawn.back().rng)));
      if (programs == 1) {  // in case that it ends this process
        fmt::print("{}\n{}\n", plan::print(plans.back().schedule, program), om::print(program));
        std::fflush(stdout);
      }
    }
    const auto libraries = backend.compile(plans, quick_build(backend));
    for (std::size_t i = 0; i < drawn.size(); ++i)
      ASSERT_EQ(test::first_difference(drawn[i], libraries[i]), "")
          << "seed " << drawn[i].seed << "\n"
          << plan::print(plans[i].schedule, drawn[i].program) << "\n"
          << om::print(drawn[i].program);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, RandomProgramsOnDevice, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

class KeptProgramsOnDevice : public testing::TestWithParam<DeviceBackend> {};

std::vector<std::string> kept_programs() {
  std::vector<std::string> names;
  for (const auto& file :
       std::filesystem::directory_iterator(PARAISO_SOURCE_DIR "/tests/differential/programs"))
    if (file.path().extension() == ".om") names.push_back(file.path().filename());
  std::ranges::sort(names);
  return names;
}

/// A prepared program, or one with several steps in one kernel; none where its steps can't be
/// fused.
std::optional<passes::Fused> with_steps(const om::Machine& program, int steps) {
  try {
    return passes::fuse(program, steps, true);
  } catch (const passes::CannotFuse&) {
    return std::nullopt;
  }
}

/// Of one program: in both modes, single steps and some in one kernel, under the default schedule
/// and one near it. `both`: each under both; else in turn.
void add_kept(Trials& trials, const std::string& name, const runtime::Backend& backend, Rng rng,
              bool both) {
  const om::Machine written = test::read_program(name);
  verify::VerifyOptions options;
  options.backend = &backend;
  options.sizes = sizes(written.dimension);
  options.steps = 2;
  std::size_t turn = 0;
  for (const Numbers numbers : {Numbers::fma, Numbers::strict})
    for (const int steps : {1, written.dimension > 2 ? 2 : 3}) {
      const auto fused = with_steps(passes::prepare(written, numbers), steps);
      if (!fused) continue;
      options.fusion = fused->fusion;
      const om::Machine& program = fused->machine;
      const plan::Schedule usual = backend.default_schedule(program, {});
      const plan::Schedule varied = plan::vary(plan::genes(program, backend.options), usual, rng);
      ++turn;
      for (const bool as_usual : {true, false}) {
        if (!both && as_usual != (turn % 4 < 2)) continue;
        trials.plans.push_back(backend.make_plan(program, as_usual ? usual : varied));
        trials.options.push_back(options);
        trials.names.push_back(fmt::format("{} {} {}", name, passes::name(numbers), steps));
      }
    }
}

/// One in each number of dimensions, whose steps can be fused.
const std::vector<std::string> kSpanning = {"stored_1d.om", "turning_2d.om", "leapfrog_3d.om",
                                            "below_above_4d.om"};

TEST_P(KeptProgramsOnDevice, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const bool all = test::setting("PARAISO_KEPT", 0) != 0;
  Trials trials;
  std::uint64_t seed = 0;
  for (const std::string& name : all ? kept_programs() : kSpanning)
    add_kept(trials, name, backend, Rng(++seed), all);
  EXPECT_GE(trials.plans.size(), 4 * kSpanning.size());
  expect_bits(trials, backend, quick_build(backend));
}

INSTANTIATE_TEST_SUITE_P(Of, KeptProgramsOnDevice, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
