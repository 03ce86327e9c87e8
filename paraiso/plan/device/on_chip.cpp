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
  bool filled;  // its ghost cells are filled after the loop that makes it
};

/// How many turns ago the youngest ghost plane below the grid was made that a loop reads so far
/// from its own plane: plane -m is made together with plane m - 1 or an older one.
int turns_of_ghosts(const Group& group, const Stage& reader, const BufferFill& fill, int turns,
                    int plane) {
  if (group.sweep.empty()) return turns;
  const int axis = group.sweep.front();
  const int first = std::max(-group.box.lower[axis] - reader.reach.lower[axis],
                             -reader.limit.lower[axis]);  // where the loop begins
  const int below = std::min(fill.width.lower[axis], -(first + plane));
  return below > 0 ? std::max(0, turns + 1 - 2 * below) : turns;
}

std::vector<ColumnCrossing> crossings_of(const Group& group, const std::vector<Use>& uses) {
  std::vector<const BufferFill*> fills(group.buffers.size());
  for (const Stage& stage : group.stages)
    for (const BufferFill& fill : stage.fills) fills[static_cast<std::size_t>(fill.buffer)] = &fill;
  std::vector<ColumnCrossing> crossings;
  for (std::size_t s = 0; s < group.stages.size(); ++s)
    for_reads(group, group.stages[s], [&](std::size_t b, const Offset& offset) {
      if (!is_sideways(group, offset)) return;
      const int plane = plane_of(group, offset), turns = plane_of(group, uses[b].newest) - plane;
      crossings.push_back(
          {uses[b].maker, s,
           fills[b] ? turns_of_ghosts(group, group.stages[s], *fills[b], turns, plane) : turns,
           fills[b] != nullptr});
    });
  return crossings;
}

/// Where all threads of a block wait in a turn of a sweep: before loops, and after those whose
/// results' ghost cells are then filled; `at_end`: at the end of the turn as well.
struct Waits {
  std::vector<bool> before, after;
  bool at_end;

  /// From the loop `first` to before the loop `last`, which comes later in the turn; `filled`:
  /// only from where the ghost cells of the first one are filled.
  [[nodiscard]] bool between(std::size_t first, std::size_t last, bool filled) const {
    if (!filled && after[first]) return true;
    for (std::size_t s = first + 1; s <= last && s < before.size(); ++s)
      if (before[s] || (s < last && after[s])) return true;
    return false;
  }
  [[nodiscard]] bool from_begin(std::size_t last) const {
    return before[0] || (last > 0 && (after[0] || between(0, last, false)));
  }
  /// Whether they do between the two loops of a crossing.
  [[nodiscard]] bool settle(const ColumnCrossing& crossing) const {
    if (at_end && crossing.turns > 0) return true;
    const std::size_t end = before.size();
    if (crossing.turns == 0) return between(crossing.maker, crossing.reader, crossing.filled);
    if (crossing.turns > 1) return from_begin(end);
    return between(crossing.maker, end, crossing.filled) || from_begin(crossing.reader);
  }
};

/// The loops before which all threads wait: none without which every crossing would be safe. What
/// is read in the turn in which it is made settles most; of what is a turn old, any of these is
/// mostly enough.
std::vector<bool> find_waits(const Group& group, const std::vector<Use>& uses) {
  Waits waits{std::vector<bool>(group.stages.size()), {}, waits_between_turns(group)};
  for (const Stage& stage : group.stages) waits.after.push_back(waits_to_fill(group, stage));
  std::vector<ColumnCrossing> crossings = crossings_of(group, uses);
  std::ranges::stable_sort(crossings, {}, &ColumnCrossing::turns);
  for (const ColumnCrossing& crossing : crossings)
    if (!waits.settle(crossing)) waits.before[crossing.reader] = true;
  for (std::size_t s = 0; s < group.stages.size(); ++s) {
    if (!waits.before[s]) continue;
    waits.before[s] = false;
    waits.before[s] = !std::ranges::all_of(
        crossings, [&](const ColumnCrossing& crossing) { return waits.settle(crossing); });
  }
  return waits.before;
}

}  // namespace

std::vector<int> thread_axes(const Group& group, int dimension) {
  std::vector<int> axes;
  for (int a = 0; a < dimension && axes.size() < 2; ++a)
    if (group.sweep.empty() || a != group.sweep.front()) axes.push_back(a);
  return axes;
}

std::vector<int> single_axes(const Group& group, int dimension) {
  std::vector<int> axes;
  if (group.sweep.empty()) return axes;
  const std::vector<int> across = thread_axes(group, dimension);
  for (int a = 0; a < dimension; ++a)
    if (a != group.sweep.front() && std::ranges::find(across, a) == across.end()) axes.push_back(a);
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
  const int surplus = group.sweep.empty() || waits_between_turns(group) ? 1 : 2;
  for (const Use& use : uses)
    if (use.oldest_sideways < 0)
      device.kept.push_back({false, std::max(use.oldest_own, 0) + 1, 0});
    else
      device.kept.push_back({true, use.oldest_sideways + surplus, use.oldest_own + 1});
  device.waits = find_waits(group, uses);
}

bool waits_between_turns(const Group& group) {
  return group.device.extra_barrier && !group.sweep.empty();
}

bool waits_to_fill(const Group& group, const Stage& stage) {
  return std::ranges::any_of(stage.fills, [&](const BufferFill& fill) {
    for (int a = 0; a < static_cast<int>(fill.width.lower.size()); ++a)
      if ((group.sweep.empty() || a != group.sweep.front()) &&
          (fill.width.lower[a] > 0 || fill.width.upper[a] > 0))
        return true;
    return false;
  });
}

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
