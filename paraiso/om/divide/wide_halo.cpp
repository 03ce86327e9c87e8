#include "paraiso/om/divide/wide_halo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

#include "paraiso/om/cells/sides.hpp"

namespace paraiso::om {

namespace {

bool loads_index(const Graph& graph, const std::vector<bool>& axes) {
  for (std::size_t n = 0; n < graph.node_count(); ++n)
    if (const auto* load = std::get_if<LoadIndex>(&graph.node(NodeId(n)).instruction))
      if (axes[static_cast<std::size_t>(load->axis)]) return true;
  return false;
}

bool sides_read_fields(const Machine& machine) {
  return std::ranges::any_of(machine.statics,
                             [&](const Static& s) { return !read_by_sides(machine, s).empty(); });
}

/// What boundary kernels read to make a Local's ghost cells, and how far from these.
std::vector<std::pair<StaticId, Cell>> read_by_sides_at(const Machine& machine,
                                                        const Static& local) {
  std::vector<std::pair<StaticId, Cell>> read;
  for (const auto& sides : local.boundary)
    for (const Boundary& side : sides) {
      const auto* user = std::get_if<UserBoundary>(&side);
      if (user == nullptr) continue;
      const auto& kernel = machine.boundary_kernels[user->kernel.index];
      Reads reads = reads_of(kernel.graph, kernel.result);
      for (const auto& [id, offsets] : reads[0])
        for (Cell offset : offsets) {
          for (std::int64_t& along : offset) along = std::abs(along);
          read.emplace_back(id, std::move(offset));
        }
    }
  return read;
}

/// Whether all Locals are cyclic along an axis; nothing if some are.
std::optional<bool> all_cyclic(const Machine& machine, std::size_t axis) {
  std::size_t cyclic = 0, others = 0;
  for (const Static& s : machine.statics)
    if (s.type.is_local()) ++(is_cyclic(s.boundary[axis]) ? cyclic : others);
  if (cyclic > 0 && others > 0) return std::nullopt;
  return cyclic > 0;
}

std::int64_t floor_divided(std::int64_t x, std::int64_t by) {
  return x >= 0 ? x / by : -((by - 1 - x) / by);
}

}  // namespace

WideHalo::WideHalo(const Machine& machine, const Orthotree& tree, const Cell& size)
    : size_(size),
      margin_(size.size()),
      statics_(machine.statics.size()),
      own_(tree.leaves(size)),
      cut_(size.size()),
      around_(size.size()) {
  for (std::size_t a = 0; a < size.size(); ++a) {
    cut_[a] = std::ranges::any_of(
        own_, [&](const Box& box) { return box.upper[a] - box.lower[a] < size_[a]; });
    around_[a] = cut_[a] && all_cyclic(machine, a).value_or(false);
  }
}

std::optional<WideHalo> WideHalo::of(const Machine& machine, const Orthotree& tree,
                                     const Cell& size, const std::vector<std::vector<Want>>& wants,
                                     int steps, std::string* why) {
  WideHalo wide(machine, tree, size);
  if (steps < 2 || wide.own_.size() < 2) return std::nullopt;
  for (std::size_t k = 0; k < machine.kernels.size(); ++k)
    wide.add_kernel(machine, machine.kernels[k], wants[k]);
  for (const Reads& reads : wide.kernels_)
    for (const auto& [what, reach] : reads.reach)
      for (std::size_t a = 0; reads.is_step && a < size.size(); ++a)
        wide.margin_[a] = std::max(wide.margin_[a], reach[a] * (steps - 1));
  std::string reason = wide.complaint(machine);
  if (reason.empty()) reason = wide.widen();
  if (why != nullptr) *why = reason;
  return reason.empty() ? std::optional(std::move(wide)) : std::nullopt;
}

/// Why parts with margins would be wrong; empty if they aren't.
std::string WideHalo::complaint(const Machine& machine) const {
  for (std::size_t a = 0; a < size_.size(); ++a)
    if (cut_[a] && !all_cyclic(machine, a))
      return fmt::format("axis {} is cut, and cyclic for some fields only", a);
  const auto cyclic = std::ranges::find(around_, true);
  if (cyclic == around_.end()) return {};
  const auto axis = cyclic - around_.begin();
  if (sides_read_fields(machine))
    return fmt::format("axis {} is cut and cyclic, and boundary kernels read fields", axis);
  for (const Reads& reads : kernels_)
    if (reads.is_step && !reads.anywhere)
      return fmt::format("axis {} is cut and cyclic, and its indices are read", axis);
  return {};
}

void WideHalo::add_kernel(const Machine& machine, const Kernel& kernel,
                          const std::vector<Want>& wants) {
  Reads reads{{}, stored_by(machine, kernel), &kernel == machine.step_kernel(), true};
  std::map<StaticId, Cell> widest;
  const auto widen_reach = [&](StaticId what, const Cell& reach) {
    Cell& known = widest.try_emplace(what, size_.size()).first->second;
    for (std::size_t a = 0; a < size_.size(); ++a)
      if (cut_[a]) known[a] = std::max(known[a], reach[a]);
  };
  for (const Want& want : wants) {
    Cell reach(size_.size());
    for (const Reach& one : want.reaches)
      for (std::size_t a = 0; a < size_.size(); ++a)
        reach[a] = std::max({reach[a], -one.least[a], one.most[a]});
    widen_reach(want.what, reach);
    // A side's cells, no further away, may be made from cells near them, or nearer to the core.
    for (const auto& [what, further] : read_by_sides_at(machine, machine.at(want.what)))
      widen_reach(what, plus(reach, further));
  }
  reads.reach.assign(widest.begin(), widest.end());
  reads.anywhere = !loads_index(kernel.graph, around_);
  for (const auto& boundary : machine.boundary_kernels)
    reads.anywhere = reads.anywhere && !loads_index(boundary.graph, around_);
  kernels_.push_back(std::move(reads));
}

/// A complaint if a rank would compute cells of a cyclic axis twice.
std::string WideHalo::widen() {
  for (std::size_t leaf = 0; leaf < own_.size(); ++leaf) {
    computed_.push_back(around(leaf, own_[leaf], margin_));
    for (std::size_t a = 0; a < size_.size(); ++a) {
      const Box& box = computed_.back();
      const bool cut_here = own_[leaf].upper[a] - own_[leaf].lower[a] < size_[a];
      if (around_[a] && cut_here && box.upper[a] - box.lower[a] >= size_[a])
        return fmt::format("part {} and its margins would be as long as the cyclic axis {}", leaf,
                           a);
    }
  }
  return {};
}

/// Widens cells along the axes that a leaf does not have whole, up to the grid's ends.
Box WideHalo::around(std::size_t leaf, const Box& cells, const Cell& width) const {
  Box box = cells;
  for (std::size_t a = 0; a < size_.size(); ++a) {
    if (own_[leaf].upper[a] - own_[leaf].lower[a] == size_[a]) continue;
    box.lower[a] -= width[a];
    box.upper[a] += width[a];
    if (around_[a]) continue;
    box.lower[a] = std::max<std::int64_t>(box.lower[a], 0);
    box.upper[a] = std::min(box.upper[a], size_[a]);
  }
  return box;
}

Depths WideHalo::none() const { return Depths(statics_, Cell(size_.size())); }

std::vector<Want> WideHalo::due(std::size_t kernel, Depths& right) const {
  const Reads& reads = kernels_[kernel];
  const auto within = [](const Cell& x, const Cell& y) {
    return std::ranges::equal(x, y, std::less_equal<>());
  };
  if (std::ranges::all_of(
          reads.reach, [&](const auto& one) { return within(one.second, right[one.first.index]); }))
    return {};
  std::vector<Want> wants;
  for (const auto& [what, reach] : reads.reach) {
    const Cell depth = reads.is_step ? plus(reach, margin_) : reach;
    if (within(depth, right[what.index])) continue;
    right[what.index] = depth;
    wants.push_back({what, {{minus(Cell(depth.size()), depth), depth}}});
  }
  return wants;
}

void WideHalo::ran(std::size_t kernel, Depths& right) const {
  const Reads& reads = kernels_[kernel];
  Cell depth(size_.size());
  if (reads.anywhere) {
    depth = margin_;
    for (const auto& [what, reach] : reads.reach)
      for (std::size_t a = 0; a < depth.size(); ++a)
        depth[a] = std::min(depth[a], right[what.index][a] - reach[a]);
  }
  for (const StaticId id : reads.stored) right[id.index] = depth;
}

Exchange WideHalo::exchange(const std::vector<Want>& due) const {
  Exchange exchange;
  for (std::size_t from = 0; from < own_.size(); ++from)
    for (std::size_t to = 0; to < own_.size(); ++to)
      for (const Want& want : due) {
        const Box wanted = around(to, own_[to], want.reaches[0].most);
        add_transfers(want.what, from, to, wanted, exchange);
      }
  return exchange;
}

/// All images of `from`'s cells that `to` wants.
void WideHalo::add_transfers(StaticId what, std::size_t from, std::size_t to, const Box& wanted,
                             Exchange& exchange) const {
  Box shifts{Cell(size_.size()), Cell(size_.size(), 1)};
  for (std::size_t a = 0; a < size_.size(); ++a)
    if (around_[a]) {
      shifts.lower[a] = floor_divided(wanted.lower[a], size_[a]);
      shifts.upper[a] = floor_divided(wanted.upper[a] - 1, size_[a]) + 1;
    }
  shifts.for_each([&](const Cell& times) {
    Cell shift = times;
    for (std::size_t a = 0; a < shift.size(); ++a) shift[a] *= size_[a];
    if (from == to && shift == Cell(shift.size())) return;
    const Box cells = intersection(moved(wanted, minus(Cell(shift.size()), shift)), own_[from]);
    if (!cells.empty()) exchange.transfers.push_back({from, to, what, cells, shift});
  });
}

}  // namespace paraiso::om
