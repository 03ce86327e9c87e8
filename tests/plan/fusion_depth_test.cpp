// How many steps the planner fuses by itself: what memory bounds gains, what is computed does not,
// and what can't be fused is left alone.
#include "paraiso/plan/search/fusion_depth.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::plan {
namespace {

/// On one usual grid and the documented machine.
double time_of(const om::Machine& program, const std::string& name) {
  const Plan plan = make_plan(program, default_schedule(program));
  const auto kernel = std::ranges::find_if(
      plan.kernels, [&](const KernelPlan& k) { return k.kernel->name == name; });
  return predict(plan.machine, *kernel, large_grid(program.dimension)).nanoseconds;
}

int depth_of(const std::string& body) {
  const auto program = passes::prepare(
      om::parse("paraiso 1\nmachine test dimension 2\n"
                "static f local f64\n  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n"
                "static dt global f64\n"
                "kernel proceed step\n%0 = load f\n" +
                body + "end\nend machine\n"),
      passes::Numbers::strict);
  return fusion_depth(program, time_of);
}

TEST(FusionDepth, IsSeveralStepsWhereMemoryBounds) {
  EXPECT_GT(depth_of("%1 = shift %0 (0, 1)\n%2 = add %0 %1\nstore f %2\n"), 1);
}

TEST(FusionDepth, IsOneWhereComputingBounds) {
  std::string body = "%1 = shift %0 (0, 1)\n%2 = add %0 %1\n";
  for (int n = 3; n < 40; ++n) body += fmt::format("%{} = sqrt %{}\n", n, n - 1);
  EXPECT_EQ(depth_of(body + "store f %39\n"), 1);
}

TEST(FusionDepth, IsOneWhereAReductionFeedsTheNextStep) {
  EXPECT_EQ(depth_of("%1 = load dt\n%2 = broadcast %1\n%3 = mul %0 %2\n%4 = reduce max %3\n"
                     "store f %3\nstore dt %4\n"),
            1);
}

}  // namespace
}  // namespace paraiso::plan
