#include "paraiso/plan/cpu/cpu_plan.hpp"

#include <algorithm>

#include "paraiso/plan/cpu/group_options.hpp"
#include "paraiso/plan/cpu/jam.hpp"
#include "paraiso/plan/cpu/overlap.hpp"
#include "paraiso/plan/cpu/row_ends.hpp"
#include "paraiso/plan/loops/traversal.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

void find_vectors(KernelPlan& plan) {
  const Graph& graph = plan.kernel->graph;
  const Ranges ranges = passes::value_ranges(graph);
  for (Group& group : plan.groups)
    for (Stage& stage : group.stages) {
      stage.cpu.vectors = vector_form(graph, ranges, stage.expansion);
      stage.cpu.in_vectors =
          stage.cpu.vectors && stage.expansion.terms.size() <= kLargestVectorBody;
    }
}

/// The cells outside the core that a loop runs over, rounded up to whole vectors and jammed rows.
/// The padding of rows holds the surplus; but tiles of a split group read rows that others write.
Extent whole_vectors_and_turns(const Graph& graph, const Group& group, const Stage& stage) {
  Extent cells = cells_run_over(group, stage);
  const int vector = vector_cells(graph, stage);
  cells.lower[0] = (cells.lower[0] + vector - 1) / vector * vector;
  if (group.form == Form::split) cells.upper[0] += vector - 1;
  const int axis = jam_axis(group);
  cells.lower[axis] += group.cpu.jam - 1;
  cells.upper[axis] += group.cpu.jam - 1;
  return cells;
}

void add_parts(const Machine& machine, KernelPlan& plan, const CpuOptions& options) {
  const Graph& graph = plan.kernel->graph;
  find_vectors(plan);
  set_loops(machine, plan, options);
  for (const Group& group : plan.groups)
    plan.margin.include(memory_touched(group, [&](const Group& g, const Stage& stage) {
      return whole_vectors_and_turns(graph, g, stage);
    }));
}

/// Stores past the caches need aligned rows, which an array shifted along x does not have.
void forbid_streaming(const Skews& skews, KernelPlan& plan) {
  const auto is_aligned = [&](const Output& output) {
    const Offset skew = skews.of(output.array);
    return skew.empty() || skew[0] == 0;
  };
  for (Group& group : plan.groups)
    for (const Stage& stage : group.stages)
      if (!std::ranges::all_of(stage.outputs, is_aligned)) group.cpu.streaming = false;
}

}  // namespace

void set_loops(const Machine& machine, KernelPlan& plan, const CpuOptions& options) {
  for (Group& group : plan.groups) set_options(plan.kernel->graph, group, options);
  find_x_ghosts(machine, plan);
}

KernelPlan cpu_kernel_plan(const Machine& machine, const Kernel& kernel,
                           const KernelChoices& choices, const CpuOptions& options) {
  KernelPlan plan = plan_kernel(machine, kernel, choices);
  add_parts(machine, plan, options);
  return plan;
}

Plan cpu_plan(const Machine& machine, const Schedule& schedule) {
  Plan plan = make_plan(machine, schedule, cpu_options);
  for (KernelPlan& kernel : plan.kernels) {
    add_parts(plan.machine, kernel, read_options<CpuOptions>(*kernel.kernel, plan.schedule));
    plan.margin.include(kernel.margin);
    forbid_streaming(plan.skews, kernel);
    if (is_overlapped(*kernel.kernel, plan.schedule)) overlap(plan.machine, kernel);
    for (const Group& group : kernel.groups)
      for (const Stage& stage : group.stages)
        plan.row_unit =
            std::max<std::int64_t>(plan.row_unit, vector_cells(kernel.kernel->graph, stage));
  }
  return plan;
}

}  // namespace paraiso::plan
