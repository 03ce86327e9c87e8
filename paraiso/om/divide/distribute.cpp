#include "paraiso/om/divide/distribute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "paraiso/om/cells/ghost_sources.hpp"
#include "paraiso/om/cells/sides.hpp"

namespace paraiso::om {
namespace {

/// Core cells that a leaf needs at their place + `shift`.
struct CellsNeeded {
  StaticId what;
  Box cells;
  Cell shift;
};

/// The cells that `box` becomes where indices are limited to the grid.
Box clamped(Box box, const Cell& size) {
  for (std::size_t a = 0; a < size.size(); ++a) {
    box.lower[a] = std::clamp<std::int64_t>(box.lower[a], 0, size[a] - 1);
    box.upper[a] = std::clamp<std::int64_t>(box.upper[a] - 1, 0, size[a] - 1) + 1;
  }
  return box;
}

void join_along(std::vector<Box>& boxes, std::size_t axis) {
  const auto across = [axis](Box box) {  // what boxes of one row have in common
    box.lower[axis] = box.upper[axis] = 0;
    return std::pair(std::move(box.lower), std::move(box.upper));
  };
  std::ranges::sort(boxes, {},
                    [&](const Box& box) { return std::pair(across(box), box.lower[axis]); });
  std::vector<Box> joined;
  for (Box& box : boxes) {
    if (!joined.empty() && joined.back().upper[axis] == box.lower[axis] &&
        across(joined.back()) == across(box))
      joined.back().upper[axis] = box.upper[axis];
    else
      joined.push_back(std::move(box));
  }
  boxes = std::move(joined);
}

/// Joins boxes that together are a box, along one axis after the other, until there are none.
void join(std::vector<Box>& boxes) {
  if (boxes.empty()) return;
  const std::size_t axes = boxes[0].lower.size();
  for (std::size_t before = boxes.size() + 1; boxes.size() < before;) {
    before = boxes.size();
    for (std::size_t a = 0; a < axes; ++a) join_along(boxes, a);
  }
}

/// Lists what the leaves need and from whom.
class Communication {
 public:
  Communication(const Machine& machine, const Orthotree& tree, const Cell& size)
      : machine_(machine), tree_(tree), size_(size), leaves_(tree.leaves(size)) {
    for (const auto& kernel : machine.boundary_kernels) {
      auto reads = reads_of(kernel.graph, kernel.result);
      kernel_reads_.push_back(std::move(reads[0]));
    }
  }

  Exchange run(std::span<const Want> wants) {
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      std::vector<CellsNeeded> needs;
      for (const Want& want : wants)
        for (const Reach& reach : want.reaches) add_needs(leaf, want.what, reach, needs);
      serve(leaf, std::move(needs));
    }
    std::ranges::stable_sort(exchange_.transfers, {},
                             [](const Transfer& t) { return std::tuple(t.from, t.to, t.what); });
    return std::move(exchange_);
  }

 private:
  void add_needs(std::size_t leaf, StaticId what, const Reach& reach,
                 std::vector<CellsNeeded>& needs) {
    const Box& core = leaves_[leaf];
    const Box wanted = {plus(core.lower, reach.least), plus(core.upper, reach.most)};
    const auto need = [&](StaticId read, Box cells, const Cell& shift) {
      // Around a cyclic axis that the leaf has whole, ghost cells may be made from what lies
      // inside.
      Cell inside = shift;
      for (std::size_t a = 0; a < size_.size(); ++a)
        if (core.upper[a] - core.lower[a] == size_[a]) inside[a] = 0;
      if (inside != shift) needs.push_back({read, cells, std::move(inside)});
      needs.push_back({read, std::move(cells), shift});
    };
    for (const Source& source : sources_of(machine_.at(what), wanted, size_)) {
      if (!source.kernel.valid()) {
        need(what, source.cells, source.shift);
        continue;
      }
      for (const auto& [read, offsets] : kernel_reads_[source.kernel.index])
        for (const Cell& offset : offsets)
          need(read, clamped(moved(source.cells, offset), size_), source.shift);
    }
  }

  /// Cells that the leaf has of one static, by their shift.
  using Placed = std::vector<std::pair<Cell, std::vector<Box>>>;

  void serve(std::size_t leaf, std::vector<CellsNeeded> needs) {
    // What stays in its place first, and large boxes first: they fall into fewer parts.
    const Cell none(size_.size(), 0);
    std::ranges::stable_sort(needs, {}, [&](const CellsNeeded& need) {
      return std::tuple(need.what, need.shift != none, need.shift,
                        -static_cast<std::int64_t>(need.cells.cell_count()));
    });
    for (std::size_t i = 0; i < needs.size();) {
      Placed placed = {{none, {leaves_[leaf]}}};
      const StaticId what = needs[i].what;
      while (i < needs.size() && needs[i].what == what) {
        const Cell shift = needs[i].shift;
        std::vector<Box> cells;  // without common ones
        for (; i < needs.size() && needs[i].what == what && needs[i].shift == shift; ++i)
          for (Box& part : subtract({needs[i].cells}, cells)) cells.push_back(std::move(part));
        place(leaf, what, shift, std::move(cells), placed);
      }
    }
  }

  /// Finds cells that the leaf has already, and asks for the others.
  void place(std::size_t leaf, StaticId what, const Cell& shift, std::vector<Box> cells,
             Placed& placed) {
    std::vector<Box> here;
    for (const auto& [known, boxes] : placed) {
      if (known != shift)
        for (const Box& box : boxes) {
          std::vector<Box> images = common(cells, box);
          join(images);
          for (Box& image : images) {
            here.push_back(image);
            exchange_.images.push_back({leaf, what, std::move(image), known, shift});
          }
        }
      cells = subtract(std::move(cells), boxes);
    }
    for (const Box& box : cells) here.push_back(box);
    ask(leaf, what, shift, cells);
    if (placed.front().first == shift)
      placed.front().second.insert(placed.front().second.end(), here.begin(), here.end());
    else
      placed.emplace_back(shift, std::move(here));
  }

  static std::vector<Box> common(const std::vector<Box>& boxes, const Box& box) {
    std::vector<Box> parts;
    for (const Box& other : boxes)
      if (Box part = intersection(other, box); !part.empty()) parts.push_back(std::move(part));
    return parts;
  }

  void ask(std::size_t leaf, StaticId what, const Cell& shift, const std::vector<Box>& cells) {
    std::map<std::size_t, std::vector<Box>> by_owner;
    for (const Box& box : cells)
      for (const std::size_t owner : tree_.leaves_in(box))
        by_owner[owner].push_back(intersection(box, leaves_[owner]));
    for (auto& [owner, boxes] : by_owner) {
      join(boxes);
      for (Box& box : boxes)
        exchange_.transfers.push_back({owner, leaf, what, std::move(box), shift});
    }
  }

  const Machine& machine_;
  const Orthotree& tree_;
  const Cell& size_;
  const std::vector<Box> leaves_;
  std::vector<std::map<StaticId, Offsets>> kernel_reads_;  // by BoundaryKernelId
  Exchange exchange_;
};

}  // namespace

bool is_cyclic(const Static& s, std::size_t axis) {
  return s.type.is_local() && is_cyclic(s.boundary[axis]);
}

std::vector<Want> exact_wants(const std::map<StaticId, Offsets>& reads) {
  std::vector<Want> wants;
  for (const auto& [what, offsets] : reads) {
    std::vector<Box> boxes;
    for (const Cell& offset : offsets)
      boxes.push_back({offset, plus(offset, Cell(offset.size(), 1))});
    join(boxes);
    auto& want = wants.emplace_back(Want{what, {}});
    for (Box& box : boxes)
      want.reaches.push_back({std::move(box.lower), minus(box.upper, Cell(box.upper.size(), 1))});
  }
  return wants;
}

Exchange communicate(const Machine& machine, const Orthotree& tree, const Cell& size,
                     std::span<const Want> wants) {
  for (const Want& want : wants)
    for (std::size_t a = 0; a < size.size(); ++a)
      if (is_cyclic(machine.at(want.what), a) && !tree.has_warp(static_cast<int>(a)))
        throw Error(fmt::format("`{}` is cyclic along axis {}, and the division has no warp there",
                                machine.at(want.what).name, a));
  return Communication(machine, tree, size).run(wants);
}

std::vector<StaticId> stored_by(const Machine& machine, const Kernel& kernel) {
  std::vector<StaticId> stored;
  for (const NodeId id : kernel.graph.stores()) {
    const StaticId target = std::get<Store>(kernel.graph.node(id).instruction).target;
    if (machine.at(target).type.is_local()) stored.push_back(target);
  }
  return stored;
}

std::vector<StaticId> read_by_sides(const Machine& machine, const Static& local) {
  std::vector<StaticId> read;
  for (const auto& sides : local.boundary)
    std::ranges::copy(read_by_sides(machine, sides), std::back_inserter(read));
  return read;
}

std::vector<Move> redivide(const Orthotree& before, const Orthotree& after, const Cell& size) {
  const auto old = before.leaves(size), fresh = after.leaves(size);
  std::vector<Move> moves;
  for (std::size_t to = 0; to < fresh.size(); ++to)
    for (const std::size_t from : before.leaves_in(fresh[to]))
      moves.push_back({from, to, intersection(old[from], fresh[to])});
  return moves;
}

Orthotree with_warps(const Machine& machine, const Orthotree& tree) {
  Orthotree warped = tree;
  for (int a = machine.dimension - 1; a >= 0; --a)
    if (!tree.has_warp(a) && std::ranges::any_of(machine.statics, [&](const Static& s) {
          return is_cyclic(s, static_cast<std::size_t>(a));
        }))
      warped = Orthotree::warp(a, warped);
  return warped;
}

}  // namespace paraiso::om
