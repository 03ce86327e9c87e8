#include "paraiso/plan/device/on_chip.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

namespace {

/// How a group uses one of its buffers.
struct Use {
  Offset newest;  // the cell that is written, relative to the loop's
  // Planes behind the newest that are read in its own column and in others; -1: it isn't there.
  int oldest_own = -1, oldest_sideways = -1;
  std::size_t maker = 0;  // the stage that writes it
};

int plane_of(const Group& group, const Offset& offset) {
  return group.sweep.empty() ? 0 : offset[group.sweep.front()];
}

bool is_sideways(const Group& group, const Offset& offset) {
  for (int a = 0; a < static_cast<int>(offset.size()); ++a)
    if (offset[a] != 0 && (group.sweep.empty() || a != group.sweep.front())) return true;
  return false;
}

template <class Visit>
void for_reads(const Group& group, const Stage& stage, Visit&& visit) {
  for (const Term& term : stage.expansion.terms) {
    if (term.kind != Term::Kind::read_buffer) continue;
    visit(buffer_of(group, term.value), term.offset);
  }
}

std::vector<Use> uses_of(const Group& group) {
  std::vector<Use> uses(group.buffers.size());
  for (std::size_t s = 0; s < group.stages.size(); ++s)
    for (const BufferWrite& write : group.stages[s].buffer_writes) {
      uses[write.buffer].newest = group.stages[s].behind(write.root);
      uses[write.buffer].maker = s;
    }
  for (const Stage& stage : group.stages)
    for_reads(group, stage, [&](std::size_t b, const Offset& offset) {
      Use& use = uses[b];
      int& oldest = is_sideways(group, offset) ? use.oldest_sideways : use.oldest_own;
      oldest = std::max(oldest, plane_of(group, use.newest) - plane_of(group, offset));
    });
  for (const Stage& stage : group.stages)
    for (const BufferFill& fill : stage.fills) {
      Use& use = uses[fill.buffer];  // ghost cells are filled from other columns, in shared memory
      use.oldest_sideways = std::max({use.oldest_sideways, use.oldest_own, 0});
      if (!group.sweep.empty())
        use.oldest_sideways =
            std::max(use.oldest_sideways, group.buffers[fill.buffer].lines[group.sweep.front()]);
      use.oldest_own = -1;
    }
  return uses;
}

Extent rim_of(const Group& group, int dimension) {
  Extent rim(dimension);
  for (const int axis : thread_axes(group, dimension))
    for (const Stage& stage : group.stages) {
      rim.lower[axis] = std::max(rim.lower[axis], stage.reach.lower[axis]);
      rim.upper[axis] = std::max(rim.upper[axis], stage.reach.upper[axis]);
    }
  return rim;
}

/// What a loop reads of other columns: their threads have to be past the loop that makes it, so
/// many turns of the sweep ago.
struct ColumnCrossing {
  std::size_t maker, reader;
  int turns;
};

std::vector<ColumnCrossing> crossings_of(const Group& group, const std::vector<Use>& uses) {
  std::vector<bool> filled(group.buffers.size());  // ghost planes may be older than they look
  for (const Stage& stage : group.stages)
    for (const BufferFill& fill : stage.fills) filled[static_cast<std::size_t>(fill.buffer)] = true;
  std::vector<ColumnCrossing> crossings;
  for (std::size_t s = 0; s < group.stages.size(); ++s)
    for_reads(group, group.stages[s], [&](std::size_t b, const Offset& offset) {
      if (!is_sideways(group, offset)) return;
      const int turns = plane_of(group, uses[b].newest) - plane_of(group, offset);
      crossings.push_back({uses[b].maker, s, filled[b] ? 0 : turns});
    });
  return crossings;
}

/// Whether all threads wait between the two loops, each of which comes once a turn; `at_end`: they
/// do at the end of each turn anyway.
bool waits_between(const std::vector<bool>& waits, bool at_end, const ColumnCrossing& crossing) {
  if (at_end && crossing.turns > 0) return true;
  const auto waits_in = [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s <= last; ++s)
      if (waits[s]) return true;
    return false;
  };
  const std::size_t end = waits.size() - 1;
  if (crossing.turns == 0) return waits_in(crossing.maker + 1, crossing.reader);
  if (crossing.turns > 1) return waits_in(0, end);
  return (crossing.maker < end && waits_in(crossing.maker + 1, end)) ||
         waits_in(0, crossing.reader);
}

/// The loops before which all threads wait: none without which every crossing would be safe. What
/// is read in the turn in which it is made settles most; of what is a turn old, any of these is
/// mostly enough.
std::vector<bool> find_waits(const Group& group, const std::vector<Use>& uses) {
  std::vector<bool> waits(group.stages.size());
  const bool at_end = waits_at_end(group);
  std::vector<ColumnCrossing> crossings = crossings_of(group, uses);
  std::ranges::stable_sort(crossings, {}, &ColumnCrossing::turns);
  for (const ColumnCrossing& crossing : crossings)
    if (!waits_between(waits, at_end, crossing)) waits[crossing.reader] = true;
  for (std::size_t s = 0; s < waits.size(); ++s) {
    if (!waits[s]) continue;
    waits[s] = false;
    waits[s] = !std::ranges::all_of(crossings, [&](const ColumnCrossing& crossing) {
      return waits_between(waits, at_end, crossing);
    });
  }
  return waits;
}

}  // namespace

std::vector<int> thread_axes(const Group& group, int dimension) {
  std::vector<int> axes;
  for (int a = 0; a < dimension && axes.size() < 2; ++a)
    if (group.sweep.empty() || a != group.sweep.front()) axes.push_back(a);
  return axes;
}

ThreadBlock block_of(const Group& group, int dimension) {
  const DeviceGroup& device = group.device;
  ThreadBlock block{thread_axes(group, dimension), {device.block_x, device.block_y}, {}};
  if (block.axes.size() == 1) block.threads = {device.block_x * device.block_y};
  for (std::size_t t = 0; t < block.axes.size(); ++t) {
    const int axis = block.axes[t];
    block.tile.push_back(block.threads[t] - device.rim.lower[axis] - device.rim.upper[axis]);
  }
  return block;
}

void place_kept(Group& group, int dimension) {
  DeviceGroup& device = group.device;
  device.on_chip = !group.sweep.empty() || group.stages.size() > 1;
  device.rim = rim_of(group, dimension);
  device.kept.clear();
  const std::vector<Use> uses = uses_of(group);
  const int surplus = group.sweep.empty() || waits_at_end(group) ? 1 : 2;
  for (const Use& use : uses)
    if (use.oldest_sideways < 0)
      device.kept.push_back({false, std::max(use.oldest_own, 0) + 1, 0});
    else
      device.kept.push_back({true, use.oldest_sideways + surplus, use.oldest_own + 1});
  device.waits = find_waits(group, uses);
}

bool waits_at_end(const Group& group) { return group.device.extra_barrier && !group.sweep.empty(); }

std::size_t buffer_of(const Group& group, ValueId value) {
  const auto found = std::ranges::find(group.buffers, value, &Buffer::value);
  return static_cast<std::size_t>(found - group.buffers.begin());
}

bool in_register(const Group& group, std::size_t buffer, const Offset& offset) {
  const KeptValue& kept = group.device.kept[buffer];
  return !kept.shared || (kept.own > 0 && !is_sideways(group, offset));
}

std::size_t shared_bytes(const Group& group, int dimension) {
  std::size_t threads = 1, bytes = 0;
  for (const int along : block_of(group, dimension).threads)
    threads *= static_cast<std::size_t>(along);
  for (std::size_t b = 0; b < group.buffers.size(); ++b)
    if (const KeptValue& kept = group.device.kept[b]; kept.shared)
      bytes += static_cast<std::size_t>(kept.planes) * threads * size_of(group.buffers[b].element);
  return bytes + static_cast<std::size_t>(group.device.reduction_bytes);
}

int kept_registers(const Group& group) {
  int registers = 0;
  for (std::size_t b = 0; b < group.buffers.size(); ++b)
    registers +=
        group.device.kept[b].in_registers() * (size_of(group.buffers[b].element) > 4 ? 2 : 1);
  return registers;
}

}  // namespace paraiso::plan
