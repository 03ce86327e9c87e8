#include "paraiso/plan/device/device_plan.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "paraiso/plan/device/device_repair.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/search/keep_values.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Stores what is reduced, in a spare array of its own where the stage does not store it anyway.
/// Such arrays are free again after the group.
void place_operands(KernelPlan& plan) {
  std::map<std::size_t, int> most;
  for (Group& group : plan.groups) {
    std::map<std::size_t, int> taken;
    for (Stage& stage : group.stages)
      for (Reduction& reduction : stage.reductions) {
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

/// The bytes of a cell that a group reads or writes, if each array is read once.
double bytes_of_cell(const KernelPlan& plan, const Group& group) {
  std::set<ArrayRef> touched;
  for (const Stage& stage : group.stages) {
    for (const Output& output : stage.outputs) touched.insert(output.array);
    for (const Term& term : stage.expansion.terms)
      if (const auto array = plan.array_read(group, term)) touched.insert(*array);
  }
  double bytes = 0;
  for (const ArrayRef& array : touched) bytes += static_cast<double>(size_of(array.element));
  return bytes;
}

constexpr const char* kLimits[] = {"memory"};

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

Schedule device_schedule(const Machine& machine, const Setting&) {
  Schedule schedule;
  for (const Kernel& kernel : machine.kernels) {
    const KernelGenes genes = kernel_genes(kernel);
    for (const int kept : values_to_keep(kernel, genes))
      schedule.choices[genes.storage[static_cast<std::size_t>(kept)].name] = kArray;
  }
  return device_repaired(machine, schedule);
}

Plan device_plan(const Machine& machine, const Schedule& schedule) {
  Plan plan =
      make_plan(machine, device_repaired(machine, schedule), device_options, device_choices);
  for (KernelPlan& kernel : plan.kernels) {
    set_device_groups(kernel.groups, read_options<DeviceOptions>(*kernel.kernel, plan.schedule),
                      machine.dimension);
    place_operands(kernel);
    for (const auto& [bytes, count] : kernel.spares)
      plan.spares[bytes] = std::max(plan.spares[bytes], count);
  }
  return plan;
}

Prediction predict_on_device(const Machine&, const KernelPlan& kernel, const Setting& setting) {
  Prediction all;
  all.limits = kLimits;
  for (const Group& group : kernel.groups) {
    PredictedTime& time = all.groups.emplace_back();
    time.limits = kLimits;
    time.nanoseconds = time.parts[0] =
        1e9 * bytes_of_cell(kernel, group) / setting.machine.memory_all;
    all.nanoseconds += time.nanoseconds;
  }
  all.parts[0] = all.nanoseconds;
  return all;
}

std::string device_loops(const Group&) { return "a thread a cell"; }

}  // namespace paraiso::plan
