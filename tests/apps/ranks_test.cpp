// Every solver on several ranks of one process: the fields and scalars of one, bit for bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "apps/apps.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::apps {
namespace {

struct RanksCase {
  const char* app;
  const char* problem;
  std::vector<std::int64_t> size;
};

const std::vector<RanksCase>& cases() {
  static const std::vector<RanksCase> all = {
      {"hello", "ramp", {7, 5}},       {"life", "random", {11, 9}},
      {"wave", "paper", {270}},        {"heat", "walls", {6, 5, 7}},
      {"hydro", "jet", {13, 9}},       {"hydro", "kelvin_helmholtz", {9, 12}},
      {"acoustic", "shot", {9, 12}},   {"himeno", "pressure", {8, 7, 9}},
      {"mhd", "orszag_tang", {9, 12}},
  };
  return all;
}

constexpr int kSteps = 4;

std::string state_after(runtime::Instance& instance, const char* problem,
                        const std::string& restart = {}) {
  runtime::RunOptions options;
  options.progress = false;
  options.problem = problem;
  options.steps = kSteps;
  options.restart = restart;
  const auto result = runtime::run(instance, options);
  std::string text;
  for (const auto& field : result.fields)
    text += fmt::format("{} {} {} {} {}\n", field.name, field.hash, field.minimum, field.maximum,
                        field.sum);
  for (const auto& scalar : result.scalars)
    text += fmt::format("{} {}\n", scalar.name, scalar.value.text());
  return text;
}

std::string half_way(runtime::Instance& instance, const char* problem, std::int64_t ranks) {
  runtime::RunOptions options;
  options.progress = false;
  options.problem = problem;
  options.steps = kSteps / 2;
  options.checkpoint = fmt::format("{}/half.{}", testing::TempDir(), ranks);
  return runtime::run(instance, options).checkpoint;
}

/// From any number of ranks to any other: the checkpoint's bytes, and the state in the end.
void expect_restarts(const runtime::Library& library, const RanksCase& c,
                     const std::string& whole) {
  std::set<std::string> contents;
  for (const std::int64_t before : {1, 2, 3, 4, 8}) {
    const auto on = [&](std::int64_t ranks) {
      return runtime::divided_instance(library, c.size, om::even_division(c.size, ranks), 1);
    };
    const std::string file = half_way(*on(before), c.problem, before);
    contents.insert(runtime::read_file(file));
    for (const std::int64_t after : {1, 2, 3, 4, 8})
      EXPECT_EQ(state_after(*on(after), c.problem, file), whole)
          << c.app << " from " << before << " ranks to " << after;
    std::filesystem::remove(file);
  }
  EXPECT_EQ(contents.size(), 1u) << c.app;
}

TEST(AppsOnRanks, HaveTheBitsOfOne) {
  std::vector<plan::Plan> plans;
  for (const RanksCase& c : cases()) {
    const auto app = std::ranges::find(built_in(), c.app, &App::name);
    const int dimension = static_cast<int>(c.size.size());
    const auto program = passes::prepare(
        app->build({dimension, app->precisions.front(), c.problem}), passes::Numbers::fma);
    plans.push_back(plan::plan_program(program, plan::default_schedule(program)));
  }
  runtime::CompileOptions options;
  options.optimization = "-O0";  // no run of these is long
  const auto libraries = runtime::compile_together(plans, options);
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    const RanksCase& c = cases()[i];
    const std::string whole = state_after(*libraries[i].instance(c.size), c.problem);
    for (const std::int64_t ranks : {1, 2, 3, 5, 8}) {
      const auto divided =
          runtime::divided_instance(libraries[i], c.size, om::even_division(c.size, ranks), 1);
      EXPECT_EQ(state_after(*divided, c.problem), whole) << c.app << " on " << ranks << " ranks";
    }
    if (i % 3 == 2) expect_restarts(libraries[i], c, whole);
    // Parts of one cell along the axis whose rows lie in memory.
    std::vector<std::int64_t> thin(c.size.size(), 1);
    thin[0] = std::min<std::int64_t>(c.size[0], 16);
    const auto divided =
        runtime::divided_instance(libraries[i], c.size, om::regular_division(c.size, thin), 1);
    EXPECT_EQ(state_after(*divided, c.problem), whole) << c.app << " in thin parts";
  }
}

}  // namespace
}  // namespace paraiso::apps
