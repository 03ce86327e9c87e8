#include "paraiso/plan/search/fusion_depth.hpp"

#include <cmath>
#include <limits>

#include "paraiso/passes/passes.hpp"

namespace paraiso::plan {
namespace {

// Each depth costs compile time, and the model can't resolve smaller gains. Fusing at all must gain
// more, since the model overestimates fused steps by up to 1.75 times (bench/README.md).
constexpr double kWorthDeeper = 0.95, kWorthFusing = 0.85;
// Deeper kernels gain little more and take long to plan and to compile.
constexpr int kDepths[] = {2, 3, 4, 6, 8};
// The search ends after this many depths in a row that gain nothing.
constexpr int kPatience = 2;

/// The time per step with `depth` steps in one kernel; infinite where they can't be fused.
double time_of_step(const om::Machine& program, int depth, const KernelTime& time_of) {
  try {
    const passes::Fused fused = passes::fuse(program, depth);
    return time_of(fused.machine, fused.fusion.kernel) / depth;
  } catch (const passes::CannotFuse&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

int fusion_depth(const om::Machine& program, const KernelTime& time_of) {
  if (!program.step_kernel()) return 1;
  int best = 1, in_vain = 0;
  double least = time_of(program, program.step_kernel()->name);
  for (const int depth : kDepths) {
    const double time = time_of_step(program, depth, time_of);
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
