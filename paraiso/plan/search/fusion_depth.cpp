#include "paraiso/plan/search/fusion_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/search/default_schedule.hpp"

namespace paraiso::plan {
namespace {

// Each depth costs compile time, and the model can't resolve smaller gains. Fusing at all must gain
// more, since the model overestimates fused steps by up to 1.75 times (bench/README.md).
constexpr double kWorthDeeper = 0.95, kWorthFusing = 0.85;
// Deeper kernels gain little more and take long to plan and to compile.
constexpr int kDepths[] = {2, 3, 4, 6, 8};
// The search ends after this many depths in a row that gain nothing.
constexpr int kPatience = 2;

/// The time of a call of a kernel under the default schedule: the geometric mean over the usual
/// grids.
double predicted_time(const om::Machine& program, const std::string& name,
                      const MachineModel& machine) {
  const Plan plan = make_plan(program, default_schedule(program, {{}, machine}));
  const auto kernel = std::ranges::find_if(
      plan.kernels, [&](const KernelPlan& k) { return k.kernel->name == name; });
  double sum = 0;
  auto settings = usual_grids(program.dimension);
  for (Setting& setting : settings) {
    setting.machine = machine;
    sum += std::log(predict(plan.machine, *kernel, setting).nanoseconds);
  }
  return std::exp(sum / static_cast<double>(settings.size()));
}

/// The time per step with `depth` steps in one kernel; infinite where they can't be fused.
double time_of_step(const om::Machine& program, int depth, const MachineModel& machine) {
  try {
    const passes::Fused fused = passes::fuse(program, depth);
    return predicted_time(fused.machine, fused.fusion.kernel, machine) / depth;
  } catch (const passes::CannotFuse&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

int fusion_depth(const om::Machine& program, const MachineModel& machine) {
  if (!program.step_kernel()) return 1;
  int best = 1, in_vain = 0;
  double least = predicted_time(program, program.step_kernel()->name, machine);
  for (const int depth : kDepths) {
    const double time = time_of_step(program, depth, machine);
    if (time < (best == 1 ? kWorthFusing : kWorthDeeper) * least) {
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
