#include "paraiso/plan/cost/forecast.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::plan {
namespace {

om::Machine root_program() {
  return passes::prepare(om::parse("paraiso 1\nmachine m dimension 1\nstatic a local f64\n"
                                   "  boundary 0 cyclic cyclic\nkernel proceed step\n"
                                   "  %0: local f64 = load a\n  %1: local f64 = shift %0 (1)\n"
                                   "  %2: local f64 = sqrt %1\n  store a %2\nend\nend machine\n",
                                   "m.om"),
                         passes::Numbers::fma);
}

TEST(Forecast, IsOfOneThreadForEachGroup) {
  const Plan plan = plan_program(root_program(), {});
  const KernelPlan& kernel = plan.kernels[0];
  ASSERT_EQ(kernel.groups.size(), 1u);
  EXPECT_EQ(kernel.groups[0].nanoseconds_alone,
            predict_alone(plan.machine, kernel).groups[0].nanoseconds);
}

TEST(Forecast, IsNoPartOfMakingThePlan) {
  Plan plan = make_plan(root_program(), {});
  EXPECT_EQ(plan.kernels[0].groups[0].nanoseconds_alone, kNotForecast);
  forecast(plan);
  EXPECT_LT(plan.kernels[0].groups[0].nanoseconds_alone, 100);
}

}  // namespace
}  // namespace paraiso::plan
