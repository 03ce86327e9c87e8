#include "paraiso/plan/choices/threshold_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/plan/dispatch/loop_thresholds.hpp"

namespace paraiso::plan {

namespace {

/// Of versions whose blocks ask for shared memory that not every device gives.
std::string of_devices(const Plan& plan) {
  std::string text;
  const auto add = [&](const std::string& kernel, std::size_t bytes) {
    if (bytes > 0)
      text += fmt::format("{}.{}.{} (fits)\n", plan.machine.name, kernel, kSharedGuard);
  };
  for (const Version& version : plan.dispatch->versions) add(version.kernel, version.shared_bytes);
  add(plan.dispatch->kernel, plan.dispatch->shared_bytes);
  return text;
}

}  // namespace

std::string threshold_tree(const Plan& plan, bool loops) {
  std::string text = plan.dispatch ? thresholds_text(*plan.dispatch) + of_devices(plan) : "";
  if (!loops) return text;
  for (const std::string& name : loop_thresholds(plan.machine))
    text += fmt::format("{} (threshold ())\n", name);
  const auto is_split = [](const Group& group) { return group.form == Form::split; };
  for (const KernelPlan& kernel : plan.kernels)
    if (std::ranges::any_of(kernel.groups, is_split))
      text += fmt::format("{}.{}.{} (fits)\n", plan.machine.name, kernel.kernel->name, kSplitGuard);
  return text;
}

}  // namespace paraiso::plan
