// Every solver's generated code equals the interpreter bit for bit: under the default schedule as
// it is run, and under random ones.
#include "paraiso/verify/verify_backend.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/apps.hpp"
#include "paraiso/passes/passes.hpp"

namespace paraiso::passes {

static void PrintTo(Numbers numbers, std::ostream* out) { *out << name(numbers); }

}  // namespace paraiso::passes

namespace paraiso::apps {
namespace {

using passes::Numbers;

struct AppCase {
  const char* app;
  int dimension;
  const char* problem;
  bool every_compiler = false;
  int fused = 1;      // steps in one kernel
  int schedules = 2;  // scripts/test-long.sh has 50
};

constexpr AppCase kChoices[] = {
    {"hello", 1, "ramp"},
    {"life", 2, "random"},
    {"wave", 1, "paper"},
    {"heat", 1, "walls", true},
    {"acoustic", 1, "standing"},
    {"himeno", 3, "pressure"},
    {"hydro", 1, "sod"},
    {"hydro", 2, "jet"},
    {"mhd", 1, "brio_wu"},
    {"mhd", 2, "orszag_tang", false, 1, 1},
    {"heat", 3, "decay"},
    {"heat", 3, "decay", false, 3},
    {"acoustic", 3, "standing"},
    // Random ones take minutes to compile: scripts/test-long.sh.
    {"hydro", 3, "jet", false, 1, 1},
};

void PrintTo(const AppCase& choice, std::ostream* out) { *out << choice.app << choice.dimension; }

passes::Fused program(const AppCase& choice, Numbers numbers) {
  const auto app = std::ranges::find(built_in(), choice.app, &App::name);
  return passes::fuse(
      passes::prepare(app->build({choice.dimension, app->precisions.front(), choice.problem}),
                      numbers),
      choice.fused);
}

/// Odd, tiny and, along axis 0, longer than a chunk of the reduction tree.
std::vector<std::vector<std::int64_t>> sizes(int dimension) {
  switch (dimension) {
    case 1: return {{1}, {5}, {67}, {543}};
    case 2: return {{1, 2}, {5, 3}, {35, 17}, {543, 2}};
    default: return {{1, 2, 3}, {7, 3, 5}, {291, 2, 3}};
  }
}

class Verified : public testing::TestWithParam<std::tuple<AppCase, Numbers>> {};

TEST_P(Verified, EqualsTheInterpreter) {
  const auto& [choice, numbers] = GetParam();
  verify::VerifyOptions options;
  options.schedules = choice.schedules;
  // Schedules of their own, also beside those of single steps.
  options.seed = (numbers == Numbers::strict ? 1u : 2u) + 2u * (choice.fused > 1);
  if (!choice.every_compiler) options.compilers = {runtime::CompileOptions().compiler};
  options.sizes = sizes(choice.dimension);
  options.problems = {choice.problem};
  options.steps = 2;
  // In the mode that is the default the default schedule is built as it will run.
  if (numbers == Numbers::strict) options.first_optimization = options.optimization;
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  const passes::Fused fused = program(choice, numbers);
  options.fusion = fused.fusion;
  const auto report = verify::verify_schedules(fused.machine, options);
  ASSERT_FALSE(report.difference) << report.difference->text() << "\n"
                                  << report.difference->schedule_text;
  EXPECT_EQ(report.schedules, options.schedules);
}

std::string test_name(const testing::TestParamInfo<Verified::ParamType>& info) {
  const auto& [choice, numbers] = info.param;
  const std::string steps = choice.fused > 1 ? fmt::format("_{}_steps", choice.fused) : "";
  return fmt::format("{}{}d{}_{}", choice.app, choice.dimension, steps, passes::name(numbers));
}

INSTANTIATE_TEST_SUITE_P(Apps, Verified,
                         testing::Combine(testing::ValuesIn(kChoices),
                                          testing::Values(Numbers::strict, Numbers::fma)),
                         test_name);

}  // namespace
}  // namespace paraiso::apps
