#include "paraiso/plan/cost/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/plan/cpu/overlap.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/gene_names.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

using ValueNames = std::vector<std::string>;  // value_names

std::string place(const Machine& machine, const ArrayRef& array) {
  if (array.front) return fmt::format("the array of `{}`", machine.at(*array.front).name);
  return fmt::format("spare {} array {}", name(array.element), array.spare);
}

std::string describe(const Machine& machine, const ValueNames& names, const Group& group,
                     const Stage& stage) {
  std::string text;
  for (const auto& output : stage.outputs) {
    text += fmt::format("      {} -> {}", names[output.value.index], place(machine, output.array));
    if (output.target) text += fmt::format(", the new `{}`", machine.at(*output.target).name);
    text += '\n';
  }
  for (const auto& keep : stage.buffer_writes) {
    const Buffer& buffer = group.buffers[keep.buffer];
    text += fmt::format("      {} -> a buffer of each thread", names[buffer.value.index]);
    for (int axis : group.sweep)
      if (const int lines = buffer.lines[axis]; lines > 1)
        text += fmt::format(", {} lines along {}", lines, axis_name(axis));
    text += '\n';
  }
  for (const auto& reduction : stage.reductions)
    text += fmt::format("      {} of {} -> {}\n", name(reduction.op),
                        names[reduction.operand.index], names[reduction.result.index]);
  return text;
}

/// `17.9 ns a cell: waiting for results 9.1, divider 6.4, ...`, the largest part first; negligible
/// parts are left out.
std::string times(const PredictedTime& time) {
  std::vector<std::pair<double, std::string_view>> sorted;
  for (std::size_t limit = 0; limit < time.limits.size(); ++limit)
    if (time.parts[limit] >= 0.05 * time.nanoseconds)
      sorted.emplace_back(-time.parts[limit], time.limits[limit]);
  std::ranges::sort(sorted);
  std::string text;
  for (const auto& [negative, limit] : sorted)
    text += fmt::format("{} {} {:.3g}", text.empty() ? ":" : ",", limit, -negative);
  return fmt::format("{:.3g} ns a cell{}", time.nanoseconds, text);
}

/// The lower bound for any schedule: every value computed once a cell and stored nowhere.
std::string least(const passes::Cost& cost) {
  return fmt::format("a cell takes at least: operations {:.0f}, loads {}, stores {}, bytes {:.0f}",
                     cost.operations, cost.loads, cost.stores, cost.bytes);
}

/// `96 registers a thread, 4 more spilled, 12.0 KiB of shared memory: 25 % of the threads at a
/// time`
std::string use_text(const BlockUse& block) {
  const std::string shared = block.shared_bytes == 0 ? ""
                                                     : fmt::format(", {:.1f} KiB of shared memory",
                                                                   block.shared_bytes / 1024);
  const std::string spilled =
      block.spilled > 0 ? fmt::format(", {:.0f} more spilled", block.spilled) : "";
  return fmt::format("    about {:.0f} registers a thread{}{}: {:.0f} % of the threads at a time\n",
                     block.registers, spilled, shared, 100 * block.occupancy);
}

std::string describe(const Plan& plan, const KernelPlan& kernel, const Prediction& prediction,
                     LoopWords loops) {
  const Machine& machine = plan.machine;
  const Graph& graph = kernel.kernel->graph;
  const ValueNames names = value_names(graph);
  std::string text =
      fmt::format("\nkernel `{}`\n  about {}\n", kernel.kernel->name, times(prediction));
  if (prediction.graph) text += "  launches take longest: many calls are launched as one graph\n";
  text += fmt::format("  {}\n", least(passes::cost_of(graph)));
  for (std::size_t s = 0; s < kernel.halo.size(); ++s) {
    if (kernel.halo[s].is_core()) continue;
    if (kernel.groups.front().device.ghosts == GhostCells::found && kernel.filled[s].is_core()) {
      text +=
          fmt::format("  loops find the ghost cells of `{}` themselves\n", machine.statics[s].name);
      continue;
    }
    if (kernel.keeps_ghosts(StaticId(s))) {
      text += fmt::format("  the halo of `{}` on {} is stored with its cells, or stays\n",
                          machine.statics[s].name, kernel.ghosts_kept[s].text());
      continue;
    }
    text += fmt::format("  fill the halo of `{}` on {}", machine.statics[s].name,
                        kernel.filled[s].text());
    text += kernel.computes_ghosts(StaticId(s)) ? "; loops compute its x ghost cells themselves\n"
                                                : "\n";
  }
  if (is_overlapped(*kernel.kernel, plan.schedule)) {
    const std::string why = why_blocking(machine, kernel);
    text += why.empty() ? "  while messages travel, group 1 computes the cells that need none\n"
                        : "  messages are awaited before it runs: " + why + "\n";
  }
  for (std::size_t g = 0; g < kernel.groups.size(); ++g) {
    const Group& group = kernel.groups[g];
    text += fmt::format("  group {} over {}, {}\n", g + 1, group.box.text(), loops(group));
    if (kernel.groups.size() > 1)
      text += fmt::format("    about {}\n", times(prediction.groups[g]));
    if (const auto& block = prediction.groups[g].block) text += use_text(*block);
    for (std::size_t s = 0; s < group.stages.size(); ++s) {
      const Stage& stage = group.stages[s];
      text += fmt::format("    loop {}: {:.0f} operations a cell, {} terms\n", s + 1,
                          stage.expansion.operations(graph), stage.expansion.terms.size());
      text += describe(machine, names, group, stage);
    }
  }
  for (const auto& swap : kernel.swaps)
    text += fmt::format("  `{}` swaps with {}\n", machine.at(swap.target).name,
                        place(machine, swap.with));
  return text;
}

}  // namespace

std::string describe(const Plan& plan, const Setting& setting, Predictor predict, LoopWords loops) {
  const Machine& machine = plan.machine;
  std::vector<Prediction> predictions;
  for (const auto& kernel : plan.kernels) predictions.push_back(predict(machine, kernel, setting));
  std::string text = fmt::format("machine `{}`, program {}, schedule {}\n", machine.name,
                                 program_hash(machine), schedule_hash(plan.schedule));
  if (!predictions.empty())
    text += fmt::format("times are predicted for {} cells; {}\n", fmt::join(setting.size, "x"),
                        predictions[0].machine);
  for (const auto& [size, count] : plan.spares)
    text += fmt::format("{} spare arrays of {}-byte elements\n", count, size);
  text += fmt::format("every array covers {}\n", plan.margin.text());
  for (std::size_t s = 0; s < plan.skews.statics.size(); ++s)
    if (const Offset skew = plan.skews.of(StaticId(s)); !skew.empty())
      text += fmt::format("the storage of `{}` lies shifted by ({}) cells\n",
                          machine.statics[s].name, fmt::join(skew, ", "));
  for (std::size_t k = 0; k < plan.kernels.size(); ++k)
    text += describe(plan, plan.kernels[k], predictions[k], loops);
  return text;
}

}  // namespace paraiso::plan
