#include "paraiso/plan/cost/forecast.hpp"

#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/cpu/cpu_plan.hpp"

namespace paraiso::plan {

void forecast(Plan& plan) {
  for (KernelPlan& kernel : plan.kernels) {
    const Prediction alone = predict_alone(plan.machine, kernel);
    for (std::size_t g = 0; g < kernel.groups.size(); ++g)
      kernel.groups[g].nanoseconds_alone = alone.groups[g].nanoseconds;
  }
}

void remove_forecast(Plan& plan) {
  for (KernelPlan& kernel : plan.kernels)
    for (Group& group : kernel.groups) group.nanoseconds_alone = kNotForecast;
}

Plan plan_program(const om::Machine& machine, const Schedule& schedule) {
  Plan plan = cpu_plan(machine, schedule);
  forecast(plan);
  return plan;
}

}  // namespace paraiso::plan
