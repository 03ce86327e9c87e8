// cpu_plan: the plan for a processor: the neutral one, and what a processor's loops have besides.
// Gives: cpu_kernel_plan, set_loops, cpu_plan. Needs: make_plan, choices; inside group_options,
// row_ends.
#pragma once

#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The plan of one kernel under repaired choices.
[[nodiscard]] KernelPlan cpu_kernel_plan(const om::Machine& machine, const om::Kernel& kernel,
                                         const KernelChoices& choices, const CpuOptions& options);

/// Other options for loops that exist: all that follows from them, but for the margin.
void set_loops(const om::Machine& machine, KernelPlan& plan, const CpuOptions& options);

/// make_plan with the genes of a processor, and its parts.
[[nodiscard]] Plan cpu_plan(const om::Machine& machine, const Schedule& schedule);

}  // namespace paraiso::plan
