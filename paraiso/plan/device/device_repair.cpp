#include "paraiso/plan/device/device_repair.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "paraiso/plan/device/fused_sums.hpp"
#include "paraiso/plan/device/kept_states.hpp"
#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/plan/device/stage_loads.hpp"
#include "paraiso/plan/device/thread/body_bound.hpp"
#include "paraiso/plan/device/thread/several_cells.hpp"
#include "paraiso/plan/device/thread/vector_rows.hpp"
#include "paraiso/plan/loops/traversal.hpp"
#include "paraiso/plan/make/repair.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

constexpr int kLeastOfBlock = 4;  // a tile is at least this part of a block along each axis

/// Whether a block can keep the values, of which some may be states between fused steps.
bool can_keep(const Machine& machine, const Graph& graph, const StorageGene& gene) {
  return std::ranges::all_of(gene.values, [&](ValueId v) {
    const auto* state = graph.producer_as<Load>(v);
    return !state || (graph.dimension() > 1 && may_be_kept(machine.at(state->source)));
  });
}

/// A block keeps lines of a sweep; nothing is both kept and of the whole tile.
void choose_storage(const Machine& machine, const Kernel& kernel, const KernelGenes& genes,
                    Schedule& schedule) {
  const bool on_chip = kernel.graph.dimension() <= kMostAxesOnChip;
  for (const StorageGene& gene : genes.storage) {
    const auto chosen = schedule.choices.find(gene.name);
    if (chosen == schedule.choices.end()) continue;
    if (chosen->second != kScratch && chosen->second != kRolling) continue;
    chosen->second = on_chip && can_keep(machine, kernel.graph, gene) ? kRolling : kArray;
  }
}

/// Blocks are no larger than any device allows.
void bound_block(const Kernel& kernel, Schedule& schedule) {
  if (kernel.graph.dimension() == 1) return;
  DeviceOptions options = read_options<DeviceOptions>(kernel, schedule);
  while (options.block_x * options.block_y > kMostThreads) options.block_y /= 2;
  const auto [gene, allele] = choice<&DeviceOptions::block_y>(kernel, options.block_y);
  schedule.choices[gene] = allele;
}

/// Whether a loop makes, and a state's ghost cells are, other cells than a block has along an axis.
bool exceeds(const Stage& stage, int axis) {
  const auto reaches = [&](const Extent& cells) {
    return cells.lower[axis] != 0 || cells.upper[axis] != 0;
  };
  return reaches(stage.reach) || std::ranges::any_of(stage.fills, reaches, &BufferFill::width);
}

/// Along axes along which a block has one cell, it keeps nothing else.
bool keeps_its_own(const Group& group, int dimension) {
  const std::vector<int> axes = single_axes(group, dimension);
  return std::ranges::none_of(group.stages, [&](const Stage& stage) {
    return std::ranges::any_of(axes, [&](int axis) { return exceeds(stage, axis); });
  });
}

/// The value that takes most of what a block has: cells that it does not have along an axis,
/// columns around its tile, bytes, registers.
ValueId largest_kept(const Group& group, int dimension) {
  std::size_t largest = 0;
  std::pair<bool, double> most{false, -1};  // whether it is beside the block, bytes
  std::set<int> beside;                     // buffers
  for (const int axis : single_axes(group, dimension))
    for (const Stage& stage : group.stages)
      if (exceeds(stage, axis))
        for (const BufferWrite& write : stage.buffer_writes) beside.insert(write.buffer);
  for (std::size_t b = 0; b < group.buffers.size(); ++b) {
    const Buffer& buffer = group.buffers[b];
    double reach = 1;
    for (std::size_t a = 0; a < buffer.reach.lower.size(); ++a)
      reach += buffer.reach.lower[a] + buffer.reach.upper[a];
    const std::pair size{
        beside.contains(static_cast<int>(b)),
        reach * group.device.kept[b].planes * static_cast<double>(size_of(buffer.element))};
    if (size > most) most = size, largest = b;
  }
  return group.buffers[largest].value;
}

/// What is staged never makes a group too large: it is not staged then.
DeviceOptions without_staging(DeviceOptions options) {
  options.stage = Staging::none;
  return options;
}

/// A value of a group that keeps too much.
std::optional<ValueId> find_too_much(const Machine& machine, const Kernel& kernel,
                                     const KernelChoices& choices, const DeviceOptions& options) {
  const auto is_kept = [](Storage storage) {
    return storage == Storage::scratch || storage == Storage::rolling;
  };
  if (std::ranges::none_of(choices.storage, is_kept)) return std::nullopt;
  const KernelOutputs outputs = find_outputs(kernel.graph, choices);
  for (const auto& members : outputs.groups) {
    std::vector<Group> group;
    group.push_back(
        find_traversal(machine, kernel, choices, outputs, members, kMostDeviceTerms).group);
    set_device_groups(kernel.graph, group, without_staging(options), choices.sweep);
    if (!fits_block(kernel.graph, group[0]))
      return largest_kept(group[0], kernel.graph.dimension());
  }
  return std::nullopt;
}

}  // namespace

std::vector<int> swept_axis(const Kernel& kernel, const Schedule& schedule) {
  std::vector<int> sweep = read_options<KernelOptions>(kernel, schedule).sweep;
  if (!sweep.empty()) sweep.resize(1);
  return sweep;
}

KernelChoices device_choices(const Machine& machine, const Kernel& kernel, const KernelGenes& genes,
                             const Schedule& schedule) {
  KernelChoices choices = choices_of(machine, kernel, genes, schedule);
  choices.sweep = swept_axis(kernel, schedule);
  return choices;
}

Schedule device_repaired(const Machine& machine, const Kernel& kernel, const GeneTable& table,
                         Schedule schedule, int registers) {
  const KernelGenes& genes = table.values;
  choose_storage(machine, kernel, genes, schedule);
  bound_block(kernel, schedule);
  const auto options = read_options<DeviceOptions>(kernel, schedule);
  auto choices = device_choices(machine, kernel, genes, schedule);
  const auto store = [&](std::size_t gene) { schedule.choices[genes.storage[gene].name] = kArray; };
  for (const std::size_t gene : bound_bodies(machine, kernel, genes, choices, registers))
    store(gene);
  while (const auto value = find_too_much(machine, kernel, choices, options)) {
    const auto gene = std::ranges::find_if(genes.storage, [&](const StorageGene& one) {
      return std::ranges::find(one.values, *value) != one.values.end();
    });
    store(static_cast<std::size_t>(gene - genes.storage.begin()));
    for (const ValueId stored : gene->values) choices.storage[stored.index] = Storage::array;
  }
  return repair(machine, kernel, table, schedule);
}

Schedule device_repaired(const Machine& machine, const Schedule& schedule) {
  Schedule result;
  for (const Kernel& kernel : machine.kernels)
    result.choices.merge(
        device_repaired(machine, kernel, gene_table(kernel, device_options), schedule).choices);
  return result;
}

bool fits_block(const Graph& graph, const Group& group) {
  if (group.buffers.empty()) return true;
  const int dimension = graph.dimension();
  const ThreadBlock block = block_of(group, dimension);
  for (std::size_t t = 0; t < block.axes.size(); ++t)
    if (block.tile[t] * kLeastOfBlock < block.threads[t]) return false;
  if (shared_bytes(group, dimension) > static_cast<std::size_t>(group.device.shared) * 1024)
    return false;
  if (!keeps_its_own(group, dimension) || !has_sources(group, dimension)) return false;
  const int kept = kept_registers(group);
  return std::ranges::all_of(group.stages, [&](const Stage& stage) {
    return kept + live_registers(graph, stage.expansion) <= kMostRegisters;
  });
}

void set_device_groups(const Graph& graph, std::vector<Group>& groups, const DeviceOptions& options,
                       const std::vector<int>& sweep) {
  const int dimension = graph.dimension();
  for (Group& group : groups) {
    static_cast<DeviceOptions&>(group.device) = options;
    if (dimension == 1) group.device.block_y = group.device.cells = 1;
    if (dimension > kLaunchAxes) group.device.chunk = 0;
    if (options.march && group.form == Form::tiled && group.stages.size() == 1) group.sweep = sweep;
    place_kept(group, dimension);
    group.device.reduction_bytes = static_cast<int>(reduction_bytes(graph, group));
    // Neither what is reduced at once nor a ghost cell that its reader finds comes as a vector.
    group.device.vector = options.ghosts == GhostCells::found || group.device.reduction_bytes > 0
                              ? 1
                              : vector_of_thread(graph, group, group.device.vector);
    group.device.cells = cells_of_thread(graph, group, group.device.cells);
    if (options.stage == Staging::none || dimension > kMostAxesOnChip) continue;
    Group staged = with_staged_loads(graph, group, options.stage);
    place_kept(staged, dimension);
    staged.device.reduction_bytes = static_cast<int>(reduction_bytes(graph, staged));
    if (fits_block(graph, staged)) group = std::move(staged);
  }
}

}  // namespace paraiso::plan
