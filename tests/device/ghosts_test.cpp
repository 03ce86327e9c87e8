// Ghost cells that whoever reads them finds, or that whoever stores a cell stores (gene `ghosts`):
// no launch fills them, and the bits are the interpreter's, for all rules of sides, corners, halos
// wider than the grid, in sweeps, of vectors, with what is fetched first, and where steps are
// fused. PARAISO_CASES sets how many cases (5).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/device/cost/device_cost.hpp"
#include "paraiso/plan/device/cost/launches.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "tests/device/compared.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {
namespace {

/// How a program runs: where its text is, genes of each kernel, steps fused.
struct GhostCase {
  const char* program;
  std::vector<std::pair<const char*, const char*>> genes;
  int steps = 1;
};

std::vector<GhostCase> ghost_cases() {
  static const std::vector<GhostCase> all = {
      {"channel_3d", {{"block_x", "32"}, {"block_y", "16"}, {"stage", "on"}}, 2},
      {"diffusion_2d", {{"cells", "2"}}, 2},
      {"life_2d", {{"march", "on"}, {"stage", "on"}, {"block_x", "32"}}},
      {"wave_1d", {}, 3},
      {"channel_3d", {{"vector", "4"}, {"cells", "2"}, {"block_x", "32"}}},
      {"wave_1d", {}},
      {"life_2d", {}},
      {"diffusion_2d", {}},
      {"relaxation_2d", {{"march", "on"}, {"stage", "column"}}},
      {"channel_3d", {}},
      {"channel_3d", {{"march", "on"}, {"chunk", "16"}, {"block_x", "32"}}},
  };
  const auto count = static_cast<std::size_t>(test::setting("PARAISO_CASES", 5));
  return {all.begin(), all.begin() + std::min(count, all.size())};
}

passes::Fused program_of(const GhostCase& one) {
  std::ifstream file(fmt::format(PARAISO_SOURCE_DIR "/tests/golden/{}/program.om", one.program));
  std::stringstream text;
  text << file.rdbuf();
  return passes::fuse(passes::prepare(om::parse(text.str(), one.program), passes::Numbers::fma),
                      one.steps);
}

plan::Plan planned(const GhostCase& one, const runtime::Backend& backend, const char* ghosts) {
  const om::Machine program = program_of(one).machine;
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(program, backend.options)) {
    if (gene.name.ends_with("/ghosts")) schedule.choices[gene.name] = ghosts;
    if (one.steps > 1 && gene.name.ends_with(".state")) schedule.choices[gene.name] = "rolling";
    for (const auto& [end, allele] : one.genes)
      if (gene.name.ends_with(fmt::format("/{}", end))) schedule.choices[gene.name] = allele;
  }
  return backend.make_plan(program, schedule);
}

class GhostsTakeNoLaunch : public testing::TestWithParam<const char*> {};

/// One launch less for each field, where its sides have no kernel of their own.
TEST_P(GhostsTakeNoLaunch, ByTheModel) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  const GhostCase one{"diffusion_2d", {}};
  const plan::Plan plan = planned(one, cuda, GetParam()), filled = planned(one, cuda, "filled");
  const plan::KernelPlan &without = *plan.find_kernel("proceed"),
                         &fills = *filled.find_kernel("proceed");
  EXPECT_EQ(plan::launches_of(without).count, static_cast<double>(without.groups.size()));
  EXPECT_GT(plan::launches_of(fills).count, plan::launches_of(without).count);
  const auto nanoseconds = [&](const plan::Plan& plan, const plan::KernelPlan& kernel) {
    return plan::predict_on_device(plan.machine, kernel, {{64, 64}}).nanoseconds;
  };
  EXPECT_LT(nanoseconds(plan, without), 0.8 * nanoseconds(filled, fills));
}

INSTANTIATE_TEST_SUITE_P(Of, GhostsTakeNoLaunch, testing::Values("found", "stored"));

class GhostsOn : public testing::TestWithParam<std::tuple<DeviceBackend, const char*>> {
 protected:
  const DeviceBackend device = std::get<0>(GetParam());
  const char* const ghosts = std::get<1>(GetParam());
};

TEST_P(GhostsOn, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(device);
  const std::vector<std::vector<std::int64_t>> sizes[] = {
      {{1}, {2}, {300}}, {{1, 2}, {7, 5}, {67, 9}}, {{1, 2, 3}, {35, 6, 3}}};
  const runtime::Backend& backend = device.row();
  std::vector<Compared> all;
  for (const GhostCase& one : ghost_cases()) {
    plan::Plan plan = planned(one, backend, ghosts);
    const int dimension = plan.machine.dimension;
    all.push_back({std::move(plan), sizes[dimension - 1], one.program, program_of(one).fusion});
  }
  expect_equal_interpreter(backend, std::move(all));
}

/// Of a state that the host changes between two steps, at the sides.
TEST_P(GhostsOn, RepeatWhatTheHostHasWritten) {
  PARAISO_NEEDS_BACKEND(device);
  const runtime::Backend& backend = device.row();
  plan::Plan plan = planned({"diffusion_2d", {}}, backend, ghosts);
  const std::vector<std::int64_t> size{9, 7};
  const auto interpreted = runtime::interpreter_instance(plan.machine, size);
  const auto ran = runtime::compile(std::move(plan), quick_build(backend), backend).instance(size);
  for (int step = 0; step < 3; ++step) {
    for (runtime::Instance* one : {ran.get(), interpreted.get()}) {
      for (std::size_t s = 0; s < one->machine().statics.size(); ++s)
        if (one->machine().statics[s].type.is_local()) {
          const auto view = one->field(om::StaticId(s));
          for (const std::vector<std::int64_t>& cell : {std::vector<std::int64_t>{0, 0}, {8, 6}})
            view.set(cell, om::Constant::from_double(view.element, 1 + step));
        }
      for (int call = 0; call < 2; ++call) one->run("proceed");
    }
    EXPECT_EQ(runtime::save(*ran).statics, runtime::save(*interpreted).statics) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, GhostsOn,
                         testing::Combine(testing::ValuesIn(device_backends()),
                                          testing::Values("found", "stored")),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param).label,
                                              std::get<1>(info.param));
                         });

}  // namespace
}  // namespace paraiso
