#include "paraiso/plan/device/device_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/plan/device/device_repair.hpp"
#include "paraiso/plan/device/fused_sums.hpp"
#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/plan/device/stored_ghosts.hpp"
#include "paraiso/plan/device/thread/order_terms.hpp"
#include "paraiso/plan/device/thread/vector_rows.hpp"
#include "paraiso/plan/loops/found_ghosts.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Stores what no block reduces, in a spare array of its own where the stage does not store it
/// anyway. Such arrays are free again after the group.
void place_operands(KernelPlan& plan) {
  std::map<std::size_t, int> most;
  for (Group& group : plan.groups) {
    std::map<std::size_t, int> taken;
    for (Stage& stage : group.stages)
      for (Reduction& reduction : stage.reductions) {
        if (is_fused(plan.kernel->graph, group, reduction)) continue;
        const auto& roots = stage.expansion.roots;
        const auto same = std::ranges::find_if(stage.outputs, [&](const Output& output) {
          return roots[output.root] == roots[reduction.root];
        });
        if (same != stage.outputs.end()) {
          reduction.array = same->array;
          continue;
        }
        const Element element = plan.kernel->graph.type(reduction.operand).element;
        const std::size_t bytes = size_of(element);
        const ArrayRef array{std::nullopt, plan.spares[bytes] + taken[bytes]++, element};
        most[bytes] = std::max(most[bytes], taken[bytes]);
        reduction.array = array;
        stage.outputs.push_back({reduction.operand, array, std::nullopt, reduction.root});
      }
  }
  for (const auto& [bytes, count] : most) plan.spares[bytes] += count;
}

/// Of the block that has the most, where that is more than any device gives.
std::size_t shared_asked(const Machine& machine, const KernelPlan& plan) {
  std::size_t most = 0;
  for (const Group& group : plan.groups)
    if (group.device.on_chip) most = std::max(most, shared_bytes(group, machine.dimension));
  return most > kSharedUnasked ? most : 0;
}

/// Adds what a device has of a plan.
void complete(const Machine& machine, KernelPlan& plan, const DeviceOptions& options,
              const std::vector<int>& sweep) {
  for (Group& group : plan.groups)
    for (Stage& stage : group.stages) order_terms(plan.kernel->graph, stage.expansion);
  if (options.ghosts == GhostCells::found) find_ghosts(machine, plan);
  set_device_groups(plan.kernel->graph, plan.groups, options, sweep);
  if (options.ghosts == GhostCells::stored) store_ghosts(machine, plan, plan.filled);
  place_operands(plan);
  plan.shared_bytes = shared_asked(machine, plan);
}

/// Kernels that store ghost cells store all that some kernel reads.
void store_widest(Plan& plan) {
  std::vector<Extent> widest = plan.kernels.front().filled;
  for (const KernelPlan& kernel : plan.kernels)
    for (std::size_t s = 0; s < widest.size(); ++s) widest[s].include(kernel.filled[s]);
  for (KernelPlan& kernel : plan.kernels)
    if (!kernel.ghosts_kept.empty()) store_ghosts(plan.machine, kernel, widest);
}

}  // namespace

std::function<Genome(const Genome&)> device_canonical(const Machine& machine,
                                                      std::string_view name) {
  const auto copy = std::make_shared<const Machine>(machine);
  const Kernel& kernel = *copy->find_kernel(name);
  const auto table = std::make_shared<const GeneTable>(gene_table(kernel, device_options));
  return [copy, &kernel, table](const Genome& genome) {
    return genome_of(table->genes,
                     device_repaired(*copy, kernel, *table, schedule_of(table->genes, genome)));
  };
}

KernelPlan device_kernel_plan(const Machine& machine, const Kernel& kernel,
                              const KernelChoices& choices, const Schedule& schedule) {
  KernelPlan plan = plan_kernel(machine, kernel, choices);
  complete(machine, plan, read_options<DeviceOptions>(kernel, schedule), choices.sweep);
  return plan;
}

Plan device_plan(const Machine& machine, const Schedule& schedule) {
  if (const Schedule skew = skew_choices(machine, schedule); !skew.choices.empty())
    throw Error(fmt::format("gene `{}` is for processors: on devices no storage lies shifted",
                            skew.choices.begin()->first));
  Plan plan =
      make_plan(machine, device_repaired(machine, schedule), device_options, device_choices);
  plan.for_device = true;
  for (KernelPlan& kernel : plan.kernels) {
    complete(machine, kernel, read_options<DeviceOptions>(*kernel.kernel, plan.schedule),
             swept_axis(*kernel.kernel, plan.schedule));
    for (const Group& group : kernel.groups) widen_margin(plan.margin, group);
    for (const auto& [bytes, count] : kernel.spares)
      plan.spares[bytes] = std::max(plan.spares[bytes], count);
  }
  if (!plan.kernels.empty()) store_widest(plan);
  return plan;
}

namespace {

/// What a thread makes, one after the other.
std::string cells_text(const DeviceOptions& device) {
  if (device.vector > 1)
    return device.cells > 1
               ? fmt::format("{} vectors of {} cells a thread", device.cells, device.vector)
               : fmt::format("a thread a vector of {} cells", device.vector);
  return device.cells > 1 ? fmt::format("{} cells a thread", device.cells) : "a thread a cell";
}

}  // namespace

std::string device_loops(const Group& group) {
  const DeviceGroup& device = group.device;
  if (!device.on_chip)
    return fmt::format("{}, in blocks of {}x{}", cells_text(device), device.block_x,
                       device.block_y);
  std::string text = fmt::format("blocks of {}x{} threads", device.block_x, device.block_y);
  if (group.sweep.empty()) return text;
  text += fmt::format(" swept along {}", axis_name(group.sweep.front()));
  if (device.chunk > 0) text += fmt::format(", {} planes each", device.chunk);
  return text;
}

}  // namespace paraiso::plan
