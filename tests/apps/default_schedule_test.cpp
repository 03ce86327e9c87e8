// What the default planner picks by itself for the solvers, by the cost model's word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "apps/acoustic/acoustic.hpp"
#include "apps/heat/heat.hpp"
#include "apps/hydro/hydro.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/sanitized.hpp"

namespace paraiso {
namespace {

/// Of a step: the geometric mean over the grids.
double predicted(const om::Machine& program, const plan::Schedule& schedule,
                 const std::vector<plan::Setting>& grids) {
  const auto planned = plan::plan_program(program, schedule);
  const auto* step = planned.machine.step_kernel();
  const auto kernel = std::ranges::find(planned.kernels, step, &plan::KernelPlan::kernel);
  double sum = 0;
  for (const plan::Setting& grid : grids)
    sum += std::log(plan::predict(planned.machine, *kernel, grid).nanoseconds);
  return std::exp(sum / static_cast<double>(grids.size()));
}

/// Returns how many others there are.
int expect_no_other_cut_is_faster(const om::Machine& machine) {
  const auto program = passes::prepare(machine, passes::Numbers::fma);
  const auto schedule = plan::default_schedule(program);
  const auto grids = plan::usual_grids(program.dimension);
  const double chosen = predicted(program, schedule, grids);
  const std::string step = program.step_kernel()->name;
  int others = 0;
  for (const plan::Gene& gene : plan::genes(*program.step_kernel()))
    if (gene.name == step + "/sweep" || gene.name == step + "/grouping")
      for (const std::string& allele : gene.alleles) {
        if (schedule.choices.at(gene.name) == allele) continue;
        ++others;
        const auto other = plan::overlaid(schedule, {{{gene.name, allele}}});
        EXPECT_LT(0.97 * chosen, predicted(program, other, grids))
            << machine.name << ": " << gene.name << " = " << allele;
      }
  return others;
}

TEST(DefaultSchedule, HasNoCutOrSweepWhoseChangeIsNoticeablyFaster) {
  for (const auto element : {om::Element::f64, om::Element::f32})
    for (const int dimension : {2, 3}) {
      const int others = dimension - 1;  // groups joined or apart; in 3-D also the sweep's axis
      for (const auto& [app, problem] :
           {std::pair{apps::hydro(), "jet"}, {apps::heat(), "decay"}, {apps::acoustic(), "shot"}})
        EXPECT_EQ(expect_no_other_cut_is_faster(app.build({dimension, element, problem})), others);
    }
}

/// Few planes of z leave a sweep along z little to reuse, and the sweep along y much.
TEST(DefaultSchedule, SweepsAlongAnotherAxisWhereThatIsFaster) {
  const auto program =
      passes::prepare(apps::hydro().build({3, om::Element::f64, "jet"}), passes::Numbers::fma);
  const plan::Setting flat = {{256, 8192, 8}};
  const plan::Setting deep = {{256, 256, 256}};
  const auto along_y = plan::default_schedule(program, flat);
  const auto along_z = plan::default_schedule(program, deep);
  ASSERT_EQ(along_y.choices.at("proceed/sweep"), "y");
  ASSERT_EQ(along_z.choices.at("proceed/sweep"), "z");
  EXPECT_LT(predicted(program, along_y, {flat}), predicted(program, along_z, {flat}));
  EXPECT_LT(predicted(program, along_z, {deep}), predicted(program, along_y, {deep}));
}

/// Differences between planes are made where the fluxes are, which so need one plane and not two.
TEST(DefaultSchedule, KeepsOnePlaneOfFluxesAcrossPlanes) {
  const auto program =
      passes::prepare(apps::hydro().build({3, om::Element::f64, "jet"}), passes::Numbers::fma);
  const auto planned = plan::plan_program(program, plan::default_schedule(program));
  int fluxes = 0;
  for (const plan::KernelPlan& kernel : planned.kernels)
    for (const plan::Group& group : kernel.groups)
      for (const plan::Buffer& buffer : group.buffers)
        if (kernel.kernel->graph.name(buffer.value).find("_flux_z.") != std::string::npos) {
          EXPECT_EQ(buffer.lines[2], 1) << kernel.kernel->graph.name(buffer.value);
          ++fluxes;
        }
  EXPECT_EQ(fluxes, 2 * 5);  // two stages of five equations
}

/// In 3-D a body is too long for two vectors, and hides the wait for the divider by itself.
TEST(DefaultSchedule, GathersDivisionsInShortBodiesOnly) {
  const auto divides = [](int dimension, double registers) {
    const auto program = passes::prepare(apps::hydro().build({dimension, om::Element::f64, "jet"}),
                                         passes::Numbers::fma);
    plan::Setting setting;
    setting.machine = plan::documented_machine();
    setting.machine.registers = registers;
    return plan::default_schedule(program, setting).choices.at("proceed/divides");
  };
  for (const double registers : {16, 32}) {
    EXPECT_EQ(divides(2, registers), "together") << registers;
    EXPECT_EQ(divides(3, registers), "late") << registers;
  }
}

/// Where planes of a tile that lie in the third-level cache come no faster than from memory.
TEST(DefaultSchedule, CutsSmallerTilesWhereTheThirdLevelIsAsSlowAsMemory) {
  const auto machine = apps::acoustic().build({3, om::Element::f32, "standing"});
  const auto program = passes::fuse(passes::prepare(machine, passes::Numbers::fma), 3).machine;
  const auto rows = [&](double third_level) {
    plan::Setting setting;
    setting.machine = plan::cautious(plan::documented_machine());
    setting.machine.memory_all *= 1.4;
    setting.machine.caches.back().bytes_per_second = third_level;
    const auto schedule = plan::default_schedule(program, setting);
    return std::stoi(schedule.choices.at("proceed_3/tile_y"));
  };
  EXPECT_LT(rows(plan::documented_machine().memory_fetch), rows(60e9));
}

constexpr double kSlower = test::kSanitized ? 20 : 1;

/// Of the largest solver; by processor time, since others may use the machine.
TEST(DefaultSchedule, IsFoundInUnderASecond) {
  const auto program =
      passes::prepare(apps::hydro().build({3, om::Element::f64, "jet"}), passes::Numbers::fma);
  const std::clock_t start = std::clock();
  const auto schedule = plan::default_schedule(program);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_FALSE(schedule.choices.empty());
  EXPECT_LT(seconds, kSlower);
}

}  // namespace
}  // namespace paraiso
