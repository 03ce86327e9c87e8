// Sweeps in four dimensions: a block has threads along two axes, sweeps one and has one cell along
// the fourth; what is read beside that cell is kept in arrays. The interpreter's bits, of programs
// that keep values in each such way and of heat under random schedules.
// PARAISO_CASES sets how many of these (4), PARAISO_SEED which.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "apps/apps.hpp"
#include "paraiso/base/axis_name.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/schedule/random_schedule.hpp"
#include "tests/device/compared.hpp"
#include "tests/device/shapes.hpp"

namespace paraiso {
namespace {

/// Two loops, of which the second reads what the first makes in the cells beside its own along some
/// axes; so does the first one with the field, along all by default.
om::Machine slabs(const std::vector<int>& beside, const char* sides,
                  const std::vector<int>& field_beside = {0, 1, 2, 3}) {
  std::string text = "paraiso 1\nmachine slabs dimension 4\nstatic u local f64\n";
  for (int axis = 0; axis < 4; ++axis)
    text += fmt::format("  boundary {} {}\n", axis, axis % 2 ? sides : "cyclic cyclic");
  text += "kernel proceed step\n  %v0 = load u\n";
  for (int v = 0; v < 2; ++v) {
    text += fmt::format("  %s{0}_0 = add %v{0} %v{0}\n", v);
    int term = 0;
    for (const int axis : v == 0 ? field_beside : beside)
      for (const int cells : {-1, 1}) {
        std::array<int, 4> offset{};
        offset[static_cast<std::size_t>(axis)] = cells;
        text += fmt::format("  %n{}_{} = shift %v{} ({})\n", v, term, v, fmt::join(offset, ", "));
        text += fmt::format("  %s{0}_{1} = {3} %s{0}_{2} %n{0}_{2}\n", v, term + 1, term,
                            term % 3 == 1 ? "sub" : "add");
        ++term;
      }
    text += fmt::format("  %v{0} v{0} = neg %s{1}_{2}\n", v + 1, v, term);
  }
  text += "  store u %v2\nend\nend machine\n";
  return passes::prepare(om::parse(text, "slabs.om"), passes::Numbers::fma);
}

/// An axis that is swept, and the one along which a block then has one cell.
struct Axes {
  int sweep, single;
};
constexpr Axes kAxes[] = {{3, 2}, {2, 3}, {1, 3}};

std::vector<int> all_but(int single) {
  std::vector<int> axes{0, 1, 2, 3};
  std::erase(axes, single);
  return axes;
}

plan::Plan planned(const om::Machine& program, const runtime::Backend& backend, int sweep,
                   std::map<std::string, std::string> more = {}) {
  plan::Schedule schedule{{{"proceed/v1.storage", "rolling"},
                           {"proceed/sweep", axis_name(sweep)},
                           {"proceed/block_x", "32"},
                           {"proceed/block_y", "8"},
                           {"proceed/chunk", "16"}}};
  for (const auto& [gene, allele] : more)
    schedule.choices[fmt::format("proceed/{}", gene)] = allele;
  return backend.make_plan(program, schedule);
}

const plan::Group& first_group(const plan::Plan& plan) {
  return plan.find_kernel("proceed")->groups.at(0);
}

TEST(FourAxes, KeepNothingBesideTheCellOfABlock) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  for (const auto& [sweep, single] : kAxes) {
    const plan::Plan kept = planned(slabs(all_but(single), "cyclic cyclic"), cuda, sweep);
    EXPECT_EQ(kept.find_kernel("proceed")->groups.size(), 1u) << sweep;
    EXPECT_EQ(first_group(kept).buffers.size(), 1u) << sweep;
    EXPECT_EQ(first_group(kept).sweep, std::vector{sweep});
    const plan::Plan stored = planned(slabs({0, 1, 2, 3}, "cyclic cyclic"), cuda, sweep);
    EXPECT_EQ(stored.schedule.choices.at("proceed/v1.storage"), "array") << sweep;
    for (const plan::Group& group : stored.find_kernel("proceed")->groups)
      EXPECT_TRUE(group.buffers.empty()) << sweep;
  }
}

/// What lies beside that cell comes from a cache, the rest is fetched first.
TEST(FourAxes, FetchWhatABlockHas) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  const om::Machine program = slabs(all_but(2), "cyclic cyclic");
  EXPECT_EQ(first_group(planned(program, cuda, 3, {{"stage", "on"}})).buffers.size(), 2u);
  EXPECT_EQ(first_group(planned(program, cuda, 3, {{"stage", "column"}})).buffers.size(), 2u);
}

class FourAxesOn : public testing::TestWithParam<DeviceBackend> {};

const Shapes& grids() {
  static const Shapes all = {{1, 2, 3, 4}, {5, 2, 1, 3}, {35, 9, 3, 2}, {6, 7, 4, 19}};
  return all;
}

TEST_P(FourAxesOn, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  std::vector<Compared> all;
  for (const auto& [sweep, single] : kAxes)
    all.push_back({planned(slabs(all_but(single), "outflow reflect -"), backend, sweep), grids(),
                   fmt::format("sweep {}", sweep)});
  all.push_back({planned(slabs({0, 1, 2, 3}, "outflow fixed 3"), backend, 3), grids(), "stored"});
  for (const auto& more : {std::map<std::string, std::string>{{"stage", "on"}},
                           {{"stage", "column"}, {"ghosts", "found"}},
                           {{"extra_barrier", "on"}, {"ghosts", "stored"}}})
    all.push_back({planned(slabs(all_but(2), "outflow fixed 3"), backend, 3, more), grids(),
                   more.begin()->first});
  expect_equal_interpreter(backend, std::move(all));
}

/// A state between two steps that does not move along the axis along which a block has one cell.
TEST_P(FourAxesOn, KeptStatesEqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  std::vector<Compared> all;
  for (const auto& [sweep, single] : kAxes) {
    const std::vector<int> beside = all_but(single);
    passes::Fused fused = passes::fuse(slabs(beside, "outflow reflect -", beside), 2);
    plan::Schedule schedule{{{"proceed_2/u.state", "rolling"},
                             {"proceed_2/sweep", axis_name(sweep)},
                             {"proceed_2/block_x", "32"},
                             {"proceed_2/block_y", "16"},
                             {"proceed_2/shared", "224"}}};
    plan::Plan plan = backend.make_plan(fused.machine, schedule);
    EXPECT_EQ(plan.schedule.choices.at("proceed_2/u.state"), "rolling") << sweep;
    all.push_back({std::move(plan), grids(), "states", std::move(fused.fusion)});
  }
  expect_equal_interpreter(backend, std::move(all));
}

TEST_P(FourAxesOn, HeatEqualsTheInterpreterUnderRandomSchedules) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const App& heat = *std::ranges::find(apps::built_in(), "heat", &App::name);
  Rng rng(told_seed());
  constexpr std::size_t kTogether = 12;
  const std::int64_t cases = test::setting("PARAISO_CASES", 4);
  std::vector<Compared> all;
  for (std::int64_t n = 0; n < cases; ++n) {
    const om::Element precision = n % 2 ? om::Element::f32 : om::Element::f64;
    om::Machine built = heat.build({4, precision, heat.problems[0].name});
    std::erase_if(built.kernels, [](const om::Kernel& kernel) {  // whose sines take long to compile
      return kernel.role != om::KernelRole::step;
    });
    const passes::Fused fused =
        passes::fuse(passes::prepare(built, passes::Numbers::fma), n % 4 < 2 ? 1 : 2);
    plan::Schedule schedule =
        plan::random_schedule(plan::genes(fused.machine, backend.options), rng);
    for (const om::Kernel& kernel : fused.machine.kernels)
      schedule.choices[kernel.name + "/march"] = "on";
    all.push_back({backend.make_plan(fused.machine, schedule), grids(), "heat", fused.fusion});
    if (all.size() == kTogether || n + 1 == cases)
      expect_equal_interpreter(backend, std::exchange(all, {}));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FourAxesOn, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
