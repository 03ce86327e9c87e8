// Loads that are staged: what several threads of a block read is fetched once, with the
// interpreter's bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/apps.hpp"
#include "paraiso/codegen/device/print/generate_device.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"

namespace paraiso {
namespace {

struct Case {
  const char* app;
  int dimension, block_x, block_y;
};

/// A star of seven cells, of 25, and two states; a sweep of lines, and of planes.
constexpr Case kCases[] = {{"heat", 2, 32, 4},
                           {"heat", 3, 32, 8},
                           {"acoustic", 3, 32, 16},
                           {"wave", 3, 32, 4},
                           {"life", 2, 64, 4}};

om::Machine program_of(const Case& one) {
  const App& app = *std::ranges::find(apps::built_in(), one.app, &App::name);
  return passes::prepare(app.build({one.dimension, app.precisions[0], app.problems[0].name}),
                         passes::Numbers::fma);
}

plan::Plan staged(const Case& one, const runtime::Backend& backend, const char* stage = "on") {
  const om::Machine program = program_of(one);
  const std::pair<const char*, std::string> wanted[] = {{"/block_x", std::to_string(one.block_x)},
                                                        {"/block_y", std::to_string(one.block_y)},
                                                        {"/march", "on"},
                                                        {"/stage", stage}};
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(program, backend.options))
    for (const auto& [end, allele] : wanted)
      if (gene.name.ends_with(end)) schedule.choices[gene.name] = allele;
  return backend.make_plan(program, schedule);
}

/// How often the step kernel reads arrays of the grid.
int reads_of(const plan::Plan& plan) {
  int reads = 0;
  for (const plan::Group& group : plan.find_kernel(plan.machine.step_kernel()->name)->groups)
    for (const plan::Stage& stage : group.stages)
      for (const plan::Term& term : stage.expansion.terms)
        reads += term.kind == plan::Term::Kind::read_static;
  return reads;
}

TEST(Staging, ReadsEachCellOnce) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  EXPECT_EQ(reads_of(staged(kCases[1], cuda, "off")), 7);
  EXPECT_EQ(reads_of(staged(kCases[1], cuda)), 1);
  EXPECT_GT(reads_of(staged(kCases[2], cuda, "off")), 25);
  EXPECT_LT(reads_of(staged(kCases[2], cuda)), 8);
}

class StagedOn : public testing::TestWithParam<DeviceBackend> {};

TEST_P(StagedOn, EqualsTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  std::vector<plan::Plan> plans;
  for (const Case& one : kCases) plans.push_back(staged(one, backend));
  runtime::CompileOptions options;
  options.optimization = "-O1";
  options.cache = PARAISO_BINARY_DIR "/test_cache";
  const auto libraries = backend.compile(plans, options);
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    verify::VerifyOptions wanted;
    wanted.backend = &backend;
    wanted.steps = 2;
    wanted.sizes = kCases[i].dimension == 2
                       ? std::vector<std::vector<std::int64_t>>{{1, 2}, {7, 5}, {67, 9}}
                       : std::vector<std::vector<std::int64_t>>{{1, 2, 3}, {35, 6, 3}, {9, 17, 5}};
    const auto difference = verify::verify_library(libraries[i], wanted);
    EXPECT_FALSE(difference) << kCases[i].app << ": " << difference->text();
  }
}

INSTANTIATE_TEST_SUITE_P(Of, StagedOn, testing::ValuesIn(kDeviceBackends),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace paraiso
