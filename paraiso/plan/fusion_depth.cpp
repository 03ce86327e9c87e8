#include "paraiso/plan/fusion_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paraiso/base/error.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost_model.hpp"

namespace paraiso::plan {
namespace {

// Each depth costs compile time, and the model can't tell less.
constexpr double kNoticeable = 0.95;
// Deeper kernels gain little more and take long to plan and to compile.
constexpr int kDepths[] = {2, 3, 4, 6, 8};
// So many depths that gain nothing, one after the other, end the search.
constexpr int kPatience = 2;

/// Of a call of a kernel under the default schedule: the geometric mean over the usual grids.
double predicted_time(const om::Machine& machine, const std::string& name) {
  const Plan plan = make_plan(machine, default_schedule(machine));
  const auto kernel = std::ranges::find_if(
      plan.kernels, [&](const KernelPlan& k) { return k.kernel->name == name; });
  double sum = 0;
  const auto settings = usual_grids(machine.dimension);
  for (const Setting& setting : settings)
    sum += std::log(predict(plan.machine, *kernel, setting).nanoseconds);
  return std::exp(sum / static_cast<double>(settings.size()));
}

/// A step of so many in one kernel; infinite where they can't be.
double time_of_step(const om::Machine& machine, int depth) {
  try {
    const passes::Fused fused = passes::fuse(machine, depth);
    return predicted_time(fused.machine, fused.fusion.kernel) / depth;
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

int fusion_depth(const om::Machine& machine) {
  if (!machine.step_kernel()) return 1;
  int best = 1, in_vain = 0;
  double least = predicted_time(machine, machine.step_kernel()->name);
  for (const int depth : kDepths) {
    const double time = time_of_step(machine, depth);
    if (time < kNoticeable * least) {
      best = depth;
      least = time;
      in_vain = 0;
    } else if (!std::isfinite(time) || ++in_vain == kPatience) {
      break;
    }
  }
  return best;
}

}  // namespace paraiso::plan
