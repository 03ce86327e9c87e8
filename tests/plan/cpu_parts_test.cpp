// The plan is neutral until a processor's parts are added, and then changes in nothing else.
#include <gtest/gtest.h>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

om::Machine prepared(Rng& rng) {
  return passes::prepare(test::random_machine(rng), passes::Numbers::fma);
}

bool has_cpu_parts(const KernelPlan& kernel) {
  for (const Group& group : kernel.groups) {
    if (!group.cpu.tile.empty() || group.cpu.granule != 0 || group.cpu.row_unit != 0) return true;
    for (const Stage& stage : group.stages)
      if (stage.cpu.vectors || stage.cpu.in_vectors || stage.cpu.row_ends != Extent()) return true;
  }
  return false;
}

/// Of a neutral plan and the one for a processor.
void expect_same_core(const KernelPlan& core, const KernelPlan& whole) {
  EXPECT_FALSE(has_cpu_parts(core));
  EXPECT_TRUE(whole.groups.empty() || has_cpu_parts(whole));
  EXPECT_EQ(core.halo, core.filled) << "loops of no kind of machine compute ghost cells yet";
  EXPECT_EQ(core.halo, whole.halo);
  EXPECT_EQ(core.arrays, whole.arrays);
  EXPECT_EQ(core.spares, whole.spares);
  EXPECT_EQ(core.touched_bytes, whole.touched_bytes);
  ASSERT_EQ(core.groups.size(), whole.groups.size());
  for (std::size_t g = 0; g < core.groups.size(); ++g) {
    EXPECT_EQ(core.groups[g].box, whole.groups[g].box);
    EXPECT_EQ(core.groups[g].sweep, whole.groups[g].sweep);
    ASSERT_EQ(core.groups[g].stages.size(), whole.groups[g].stages.size());
    for (std::size_t s = 0; s < core.groups[g].stages.size(); ++s)
      EXPECT_EQ(core.groups[g].stages[s].lags, whole.groups[g].stages[s].lags);
  }
  for (std::size_t a = 0; a < core.margin.lower.size(); ++a) {
    EXPECT_LE(core.margin.lower[a], whole.margin.lower[a]);
    EXPECT_LE(core.margin.upper[a], whole.margin.upper[a]);
  }
}

TEST(CpuParts, AreAddedToANeutralPlan) {
  int kernels = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const om::Machine machine = prepared(rng);
    const Schedule schedule = random_schedule(machine, rng);
    const Plan core = make_plan(machine, schedule, cpu_options),
               whole = cpu_plan(machine, schedule);
    EXPECT_EQ(core.schedule, whole.schedule);
    for (std::size_t k = 0; k < core.kernels.size(); ++k, ++kernels)
      expect_same_core(core.kernels[k], whole.kernels[k]);
  }
  EXPECT_GT(kernels, 20);
}

/// As a device's table would be.
std::vector<OptionGene> few_options(int /*dimension*/) {
  std::vector<OptionGene> genes;
  for (const auto& row : grouping_options()) genes.push_back(row);
  return genes;
}

TEST(CpuParts, AnotherKindOfMachineHasOtherGenes) {
  Rng rng(3);
  const om::Machine machine = prepared(rng);
  const auto table = genes(machine, few_options);
  EXPECT_LT(table.size(), genes(machine).size());
  const Plan plan = make_plan(machine, default_schedule(machine), few_options);
  EXPECT_EQ(plan.schedule.choices.size(), table.size()) << "of its own genes and no others";
  for (const KernelPlan& kernel : plan.kernels)
    for (const Group& group : kernel.groups) EXPECT_NE(group.form, Form::split);
}

}  // namespace
}  // namespace paraiso::plan
