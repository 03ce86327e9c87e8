#include "paraiso/om/interpret/leaf_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "paraiso/om/cells/sides.hpp"
#include "paraiso/om/interpret/ghost_rules.hpp"

namespace paraiso::om {
namespace {

/// Stands for a cell that is loaded and never used.
Constant garbage(Element element) {
  return is_float(element) ? Constant::from_double(element, std::nan(""))
                           : Constant::from_double(element, 987654321);
}

bool holds(const std::map<StaticId, Offsets>& reads, StaticId id, const Cell& offset) {
  const auto found = reads.find(id);
  return found != reads.end() && found->second.contains(offset);
}

}  // namespace

void Patch::make_room(const Box& box) {
  Box larger = box;
  if (!cells_.empty()) larger.include(box_);
  if (!cells_.empty() && larger == box_) return;
  std::vector<std::optional<Constant>> cells(larger.cell_count());
  if (!cells_.empty())
    box_.for_each([&](const Cell& c) { cells[larger.position(c)] = cells_[box_.position(c)]; });
  box_ = std::move(larger);
  cells_ = std::move(cells);
}

void Patch::put(const Cell& cell, Constant value) { cells_[box_.position(cell)] = value; }

const Constant* Patch::find(const Cell& cell) const {
  if (cells_.empty() || !box_.holds(cell)) return nullptr;
  const auto& found = cells_[box_.position(cell)];
  return found ? &*found : nullptr;
}

Patch& LeafMemory::at(StaticId id, int step) {
  Patch* latest = &entry_[id.index];
  int latest_step = -1;
  for (Version& version : versions_)
    if (version.id == id && version.step < step && version.step > latest_step) {
      latest = &version.patch;
      latest_step = version.step;
    }
  return *latest;
}

bool LeafMemory::is_read(const Load& load, const Cell& cell) const {
  const auto reads = reads_->find(load.step);
  if (reads == reads_->end()) return false;
  const auto found = reads->second.find(load.source);
  if (found == reads->second.end()) return false;
  return std::ranges::any_of(found->second,
                             [&](const Cell& offset) { return core_.holds(minus(cell, offset)); });
}

Constant LeafMemory::kept(StaticId id, int step, const Cell& place) {
  if (const Constant* found = at(id, step).find(place)) return *found;
  throw std::logic_error(fmt::format("the leaf [{}) to [{}) has no cell ({}) of `{}`",
                                     fmt::join(core_.lower, ", "), fmt::join(core_.upper, ", "),
                                     fmt::join(place, ", "), machine_.at(id).name));
}

Constant LeafMemory::load(const Load& load, const Cell& cell) {
  if (cell.empty()) return kept(load.source, load.step, cell);
  const Static& local = machine_.at(load.source);
  if (!is_read(load, cell)) return garbage(local.type.element);
  // As in Memory::load: along the last axis first. On a cyclic axis the cell stays where it is
  // read.
  Cell index = cell, shift(cell.size(), 0);
  bool negative = false;
  for (std::size_t k = cell.size(); k-- > 0;) {
    const std::size_t a = flaw_ == Flaw::corner_order ? cell.size() - 1 - k : k;
    if (index[a] < 0 || index[a] >= size_[a])
      index[a] = without_periods(local.boundary[a], size_[a], index[a], negative);
    while (index[a] < 0 || index[a] >= size_[a]) {
      const bool upper = index[a] >= size_[a];
      const Boundary& side = local.boundary[a][upper];
      if (bring_inside(side, upper, size_[a], index[a], negative)) continue;
      if (const auto* fixed = std::get_if<Fixed>(&side)) return negated_if(negative, fixed->value);
      return negated_if(negative, boundary(std::get<UserBoundary>(side), load.step, index, shift));
    }
    if (is_cyclic(local.boundary[a])) shift[a] = cell[a] - index[a];
  }
  return negated_if(negative, kept(load.source, load.step, plus(index, shift)));
}

Constant LeafMemory::boundary(const UserBoundary& side, int step, const Cell& cell,
                              const Cell& shift) {
  const BoundaryKernel& kernel = machine_.boundary_kernels[side.kernel.index];
  const auto& reads = (*of_boundary_kernels_)[side.kernel.index];
  PartAccess one = {{cell, plus(cell, Cell(cell.size(), 1))}, {}, {}};
  const LoadCell load = [&](const Load& i, const Cell& at) {
    if (at.empty()) return kept(i.source, step, at);
    if (reads.empty() || !holds(reads.at(0), i.source, minus(at, cell)))
      return garbage(machine_.at(i.source).type.element);
    Cell place = at;
    for (std::size_t a = 0; a < place.size(); ++a)
      place[a] = std::clamp<std::int64_t>(place[a], 0, size_[a] - 1);
    return kept(i.source, step, plus(place, shift));
  };
  return evaluate_graph(kernel.graph, one.core, size_, load, {}, kernel.result).at(cell);
}

void LeafMemory::store(StaticId id, int step, const Values& values) {
  const Box cells = machine_.at(id).type.is_local() ? core_ : Box{};
  Patch patch;
  patch.make_room(cells);
  cells.for_each([&](const Cell& cell) { patch.put(cell, values.at(cell)); });
  versions_.push_back({id, step, std::move(patch)});
}

void LeafMemory::commit() {
  for (std::size_t s = 0; s < entry_.size(); ++s) {
    Patch& latest = at(StaticId(s), INT_MAX);
    if (&latest == &entry_[s]) continue;
    const bool local = machine_.statics[s].type.is_local();
    if (flaw_ == Flaw::stale_halo && local)
      core_.for_each([&](const Cell& cell) { entry_[s].put(cell, *latest.find(cell)); });
    else
      entry_[s] = std::move(latest);
  }
  versions_.clear();
}

}  // namespace paraiso::om
