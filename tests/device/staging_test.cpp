// Loads that are staged: what several threads of a block read is fetched once, what a thread reads
// at several planes of its column a plane early, with the interpreter's bits; steps fused as well.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/apps.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/device/cost/block_work.hpp"
#include "tests/device/compared.hpp"

namespace paraiso {
namespace {

struct StagedCase {
  const char* app;
  int dimension, block_x, block_y;
  const char* stage = "on";
  int steps = 1;  // fused, each kept on the chip
};

/// A star of seven cells, of 25, and two states; a sweep of lines, and of planes.
constexpr StagedCase kStaged[] = {{"heat", 2, 32, 4},           {"heat", 3, 32, 8},
                                  {"acoustic", 3, 32, 16},      {"wave", 3, 32, 4},
                                  {"life", 2, 64, 4},           {"heat", 3, 32, 16, "column", 3},
                                  {"heat", 2, 32, 2, "column"}, {"acoustic", 3, 32, 4, "column"}};

passes::Fused program_of(const StagedCase& one) {
  const App& app = *std::ranges::find(apps::built_in(), one.app, &App::name);
  return passes::fuse(
      passes::prepare(
          only_steps(app.build({one.dimension, app.precisions[0], app.problems[0].name})),
          passes::Numbers::fma),
      one.steps);
}

plan::Plan staged(const StagedCase& one, const runtime::Backend& backend, const char* stage) {
  const om::Machine program = program_of(one).machine;
  const std::pair<const char*, std::string> wanted[] = {{"/block_x", std::to_string(one.block_x)},
                                                        {"/block_y", std::to_string(one.block_y)},
                                                        {"/march", "on"},
                                                        {"/add(u,sum).storage", "rolling"},
                                                        {"/step1/add(sum,sum).storage", "rolling"},
                                                        {"/stage", stage}};
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(program, backend.options))
    for (const auto& [end, allele] : wanted)
      if (gene.name.ends_with(end)) schedule.choices[gene.name] = allele;
  return backend.make_plan(program, schedule);
}

/// How often the step kernel reads arrays of the grid.
int reads_of(const plan::Plan& plan, const char* kernel = "proceed") {
  int reads = 0;
  for (const plan::Group& group : plan.find_kernel(kernel)->groups)
    for (const plan::Stage& stage : group.stages)
      for (const plan::Term& term : stage.expansion.terms)
        reads += term.kind == plan::Term::Kind::read_static;
  return reads;
}

TEST(Staging, ReadsEachCellOnce) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  EXPECT_EQ(reads_of(staged(kStaged[1], cuda, "off")), 7);
  EXPECT_EQ(reads_of(staged(kStaged[1], cuda, "on")), 1);
  EXPECT_EQ(reads_of(staged(kStaged[1], cuda, "column")), 5);
  EXPECT_GT(reads_of(staged(kStaged[2], cuda, "off")), 25);
  EXPECT_LT(reads_of(staged(kStaged[2], cuda, "on")), 8);
}

/// The shape of AN5D (Matsumura et al. 2020): steps follow each other plane by plane.
TEST(Staging, FusedStepsArePipelined) {
  const plan::Plan plan = staged(kStaged[5], *runtime::find_backend("cuda"), "column");
  EXPECT_EQ(reads_of(plan, "proceed_3"), 5);
  const plan::KernelPlan& kernel = *plan.find_kernel("proceed_3");
  ASSERT_EQ(kernel.groups.size(), 1u);
  const plan::DeviceGroup& device = kernel.groups[0].device;
  int shared = 0;
  for (const plan::KeptValue& kept : device.kept) {
    if (!kept.shared) continue;
    ++shared;
    EXPECT_EQ(kept.planes, 3);  // one is read by neighbours
    EXPECT_EQ(kept.own, 3);
  }
  EXPECT_EQ(shared, 2);
  EXPECT_EQ(std::ranges::count(device.waits, true), 1);  // a plane, for all steps
}

/// What the model finds: of fused steps the first is kept on the chip, and columns that are fetched
/// a plane early are not waited for.
TEST(Staging, PaysWhereStepsAreFused) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  StagedCase two = kStaged[5];
  two.steps = 2;
  const om::Machine program = program_of(two).machine;
  const plan::Schedule found = cuda.default_schedule(program, {});
  EXPECT_EQ(found.choices.at("proceed_2/add(u,sum).storage"), "rolling");
  const auto waits = [&](const char* stage) {
    const plan::Plan plan = staged(two, cuda, stage);
    const plan::KernelPlan& kernel = *plan.find_kernel("proceed_2");
    return plan::block_work(kernel, kernel.groups[0], {512, 512, 512}, plan::documented_device())
        .seconds_alone;
  };
  EXPECT_LT(waits("column"), waits("off"));
  EXPECT_LT(waits("column"), waits("on"));
}

class StagedOn : public testing::TestWithParam<DeviceBackend> {};

TEST_P(StagedOn, EqualsTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const std::vector<std::vector<std::int64_t>> planes = {{1, 2}, {7, 5}, {67, 9}},
                                               spaces = {{1, 2, 3}, {35, 6, 3}, {9, 17, 5}};
  const runtime::Backend& backend = GetParam().row();
  std::vector<Compared> all;
  for (const StagedCase& one : kStaged)
    all.push_back({staged(one, backend, one.stage), one.dimension == 2 ? planes : spaces, one.app,
                   program_of(one).fusion});
  expect_equal_interpreter(backend, std::move(all));
}

INSTANTIATE_TEST_SUITE_P(Of, StagedOn, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
