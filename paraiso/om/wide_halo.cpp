#include "paraiso/om/wide_halo.hpp"

#include <algorithm>
#include <functional>

namespace paraiso::om {

namespace {

bool reduces(const Machine& machine) {
  return std::ranges::any_of(machine.kernels, [](const Kernel& kernel) {
    const Graph& graph = kernel.graph;
    for (std::size_t n = 0; n < graph.node_count(); ++n)
      if (std::holds_alternative<Reduce>(graph.node(NodeId(n)).instruction)) return true;
    return false;
  });
}

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

/// Whether all Locals are cyclic along an axis; nothing if some are.
std::optional<bool> all_cyclic(const Machine& machine, std::size_t axis) {
  std::size_t cyclic = 0, others = 0;
  for (const Static& s : machine.statics)
    if (s.type.is_local())
      ++(std::holds_alternative<Cyclic>(s.boundary[axis][0]) ? cyclic : others);
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
                                     int steps) {
  if (steps < 2 || sides_read_fields(machine)) return std::nullopt;
  WideHalo wide(machine, tree, size);
  for (std::size_t a = 0; a < size.size(); ++a)
    if (wide.cut_[a] && !all_cyclic(machine, a)) return std::nullopt;
  if (wide.own_.size() < 2 || (wide.cut_[0] && reduces(machine))) return std::nullopt;
  for (std::size_t k = 0; k < machine.kernels.size(); ++k)
    wide.add_kernel(machine, machine.kernels[k], wants[k]);
  for (const Reads& reads : wide.kernels_)
    for (const auto& [what, reach] : reads.reach)
      for (std::size_t a = 0; reads.is_step && a < size.size(); ++a)
        wide.margin_[a] = std::max(wide.margin_[a], reach[a] * (steps - 1));
  if (!wide.widen()) return std::nullopt;
  return wide;
}

void WideHalo::add_kernel(const Machine& machine, const Kernel& kernel,
                          const std::vector<Want>& wants) {
  Reads reads{{}, stored_by(machine, kernel), &kernel == machine.step_kernel(), true};
  for (const Want& want : wants) {
    Cell widest(size_.size());
    for (const Reach& reach : want.reaches)
      for (std::size_t a = 0; a < size_.size(); ++a)
        if (cut_[a]) widest[a] = std::max({widest[a], -reach.least[a], reach.most[a]});
    reads.reach.emplace_back(want.what, std::move(widest));
  }
  reads.anywhere = !loads_index(kernel.graph, around_);
  for (const auto& boundary : machine.boundary_kernels)
    reads.anywhere = reads.anywhere && !loads_index(boundary.graph, around_);
  kernels_.push_back(std::move(reads));
}

/// False if a rank would compute cells of a cyclic axis twice.
bool WideHalo::widen() {
  for (std::size_t leaf = 0; leaf < own_.size(); ++leaf) {
    computed_.push_back(around(leaf, own_[leaf], margin_));
    for (std::size_t a = 0; a < size_.size(); ++a) {
      const Box& box = computed_.back();
      const bool cut_here = own_[leaf].upper[a] - own_[leaf].lower[a] < size_[a];
      if (around_[a] && cut_here && box.upper[a] - box.lower[a] >= size_[a]) return false;
    }
  }
  return true;
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
