#include "paraiso/plan/choices/threshold_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/plan/dispatch/loop_thresholds.hpp"

namespace paraiso::plan {

std::string threshold_tree(const Plan& plan, bool loops) {
  std::string text = plan.dispatch ? thresholds_text(*plan.dispatch) : "";
  if (!loops) return text;
  for (const std::string& name : loop_thresholds(plan.machine))
    text += fmt::format("{} (threshold ())\n", name);
  const auto is_split = [](const Group& group) { return group.form == Form::split; };
  for (const KernelPlan& kernel : plan.kernels)
    if (std::ranges::any_of(kernel.groups, is_split))
      text += fmt::format("{}.{}.split (fits)\n", plan.machine.name, kernel.kernel->name);
  return text;
}

}  // namespace paraiso::plan
