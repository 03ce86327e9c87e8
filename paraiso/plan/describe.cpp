#include <fmt/format.h>

#include "paraiso/om/print.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

std::string value_name(const Graph& graph, ValueId value) {
  const auto& name = graph.name(value);
  return name.empty() ? fmt::format("%{}", value.index) : name;
}

std::string place(const Machine& machine, const ArrayRef& array) {
  if (array.front) return fmt::format("the array of `{}`", machine.at(*array.front).name);
  return fmt::format("spare {} array {}", name(array.element), array.spare);
}

std::string describe(const Machine& machine, const Graph& graph, const Stage& stage) {
  std::string text;
  for (const auto& output : stage.outputs) {
    text += fmt::format("      {} -> {}", value_name(graph, output.value),
                        place(machine, output.array));
    if (output.target) text += fmt::format(", the new `{}`", machine.at(*output.target).name);
    text += '\n';
  }
  for (const auto& reduction : stage.reductions)
    text += fmt::format("      {} of {} -> {}\n", name(reduction.op),
                        value_name(graph, reduction.operand), value_name(graph, reduction.result));
  return text;
}

}  // namespace

std::string describe(const Plan& plan) {
  const Machine& machine = plan.machine;
  std::string text = fmt::format("machine `{}`, program {}, schedule {}\n", machine.name,
                                 program_hash(machine), schedule_hash(plan.schedule));
  for (const auto& [size, count] : plan.spares)
    text += fmt::format("{} spare arrays of {}-byte elements\n", count, size);
  text += fmt::format("every array covers {}\n", plan.margin.text());
  for (const auto& kernel : plan.kernels) {
    const Graph& graph = kernel.kernel->graph;
    text += fmt::format("\nkernel `{}`\n", kernel.kernel->name);
    for (std::size_t s = 0; s < kernel.halo.size(); ++s)
      if (!kernel.halo[s].is_core())
        text += fmt::format("  fill the halo of `{}` on {}\n", machine.statics[s].name,
                            kernel.halo[s].text());
    for (std::size_t g = 0; g < kernel.groups.size(); ++g)
      for (const auto& stage : kernel.groups[g].stages) {
        text += fmt::format("  stage {} over {}: {:.0f} operations a cell, {} terms\n", g + 1,
                            stage.box.text(), stage.expansion.operations(graph),
                            stage.expansion.terms.size());
        text += describe(machine, graph, stage);
      }
    for (const auto& swap : kernel.swaps)
      text += fmt::format("  swap in the new `{}`\n", machine.at(swap.target).name);
  }
  return text;
}

}  // namespace paraiso::plan
