// One exchange of ghost cells for several steps: each part also computes cells of others around its
// own, from what it was sent before the first of these steps.
// Gives: WideKernel, Wide in paraiso_mpi. Needs: parts.hpp.
//
// Cells at the rim are wrong after the first step, one reach further in after each. A part's own
// are right as long as there is a reach of right ones around them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "paraiso/support/mpi/parts.hpp"

namespace paraiso_mpi {

/// What matters of a kernel.
template <int D>
struct WideKernel {
  bool is_step;
  std::vector<int> stores;   // fields
  std::vector<int> indices;  // axes of which it, or a side, reads a cell's index
  std::vector<Reading<D>> reads = {};
};

template <int D>
class Wide {
 public:
  /// How far beyond a part's own cells each field is right, along each axis.
  using Right = std::vector<Cell<D>>;

  /// `steps` > 1.
  Wide(const std::vector<FieldSides<D>>& sides, std::vector<WideKernel<D>> kernels,
       const Cell<D>& whole, const std::vector<Cells<D>>& parts, int steps)
      : sides_(sides), kernels_(std::move(kernels)), whole_(whole), parts_(parts) {
    for (int a = 0; a < D; ++a) {
      for (const Cells<D>& part : parts) cut_[a] |= part.along(a) < whole[a];
      around_[a] = cut_[a] && is_cyclic(0, a);
    }
    for (const WideKernel<D>& kernel : kernels_) {
      reach_.push_back(reach_of(kernel));
      for (const auto& [field, reach] : reach_.back())
        for (int a = 0; a < D && kernel.is_step; ++a)
          margin_[a] = std::max(margin_[a], reach[a] * (steps - 1));
    }
    for (const Cells<D>& part : parts) computed_.push_back(around(part, part, margin_));
    is_possible_ = find_possible();
  }

  /// Whether it is enough: a cut axis is cyclic for all fields or for none; and beyond the end of a
  /// cyclic one, where cells have other indices than inside, a step needs neither indices nor sides
  /// that are made from fields, and no part has a cell twice.
  bool is_possible() const { return is_possible_; }
  /// The cells that a part computes. They lie beyond the grid's end where a cyclic axis is cut.
  const Cells<D>& computed(int rank) const { return computed_[rank]; }
  Right nothing() const { return Right(sides_.size()); }

  /// What is to be sent before a kernel runs: fields, and how far around each part.
  std::vector<Reading<D>> due(std::size_t kernel, Right& right) const {
    bool enough = true;
    for (const auto& [field, reach] : reach_[kernel]) enough &= within(reach, right[field]);
    std::vector<Reading<D>> list;
    if (enough) return list;
    for (const auto& [field, reach] : reach_[kernel]) {
      Reading<D> wide{field, {}, reach};
      for (int a = 0; a < D; ++a) {
        if (kernels_[kernel].is_step) wide.most[a] += margin_[a];
        wide.least[a] = -wide.most[a];
      }
      if (within(wide.most, right[field])) continue;
      right[field] = wide.most;
      list.push_back(wide);
    }
    return list;
  }
  void ran(std::size_t kernel, Right& right) const {
    Cell<D> depth{};
    if (!needs_place(kernels_[kernel])) {
      depth = margin_;
      for (const auto& [field, reach] : reach_[kernel])
        for (int a = 0; a < D; ++a) depth[a] = std::min(depth[a], right[field][a] - reach[a]);
    }
    for (const int field : kernels_[kernel].stores) right[field] = depth;
  }

  /// What of that a part does not have.
  std::vector<Need<D>> needs(const Cells<D>& part, const std::vector<Reading<D>>& due) const {
    std::vector<Need<D>> list;
    for (const Reading<D>& reading : due)
      add_images(reading.field, part, around(part, part, reading.most), {}, D - 1, list);
    return list;
  }

 private:
  using Reaches = std::map<int, Cell<D>>;  // by field, the same on both sides of an axis

  static bool within(const Cell<D>& x, const Cell<D>& y) {
    for (int a = 0; a < D; ++a)
      if (x[a] > y[a]) return false;
    return true;
  }
  bool is_cyclic(std::size_t field, int axis) const {
    return !sides_.empty() && sides_[field].sides[axis][0].rule == Side::cyclic;
  }

  void widen(Reaches& reaches, const Reading<D>& reading, const Cell<D>& beside) const {
    Cell<D>& known = reaches.emplace(reading.field, Cell<D>{}).first->second;
    for (int a = 0; a < D; ++a)
      if (cut_[a]) known[a] = std::max(known[a], beside[a] + furthest(reading, a));
  }
  static std::int64_t furthest(const Reading<D>& reading, int axis) {
    return std::max(std::abs(reading.least[axis]), std::abs(reading.most[axis]));
  }
  /// A side's cells, no further away, may be made from cells near them, or nearer to the core.
  Reaches reach_of(const WideKernel<D>& kernel) const {
    Reaches reaches;
    for (const Reading<D>& reading : kernel.reads) {
      widen(reaches, reading, {});
      Cell<D> reach;
      for (int a = 0; a < D; ++a) reach[a] = furthest(reading, a);
      for (const auto& axis : sides_[reading.field].sides)
        for (const Border<D>& side : axis)
          for (const Reading<D>& read : side.reads) widen(reaches, read, reach);
    }
    return reaches;
  }

  /// Whether what it computes depends on where a cell lies along a cyclic axis that is cut.
  bool needs_place(const WideKernel<D>& kernel) const {
    for (const int axis : kernel.indices)
      if (around_[axis]) return true;
    return false;
  }
  bool find_possible() const {
    bool any_around = false;
    for (int a = 0; a < D; ++a) {
      any_around |= around_[a];
      for (std::size_t field = 0; field < sides_.size(); ++field)
        if (cut_[a] && is_cyclic(field, a) != is_cyclic(0, a)) return false;
      for (std::size_t i = 0; i < parts_.size(); ++i)
        if (around_[a] && parts_[i].along(a) < whole_[a] && computed_[i].along(a) >= whole_[a])
          return false;
    }
    for (const FieldSides<D>& field : sides_)
      for (const auto& axis : field.sides)
        for (const Border<D>& side : axis)
          if (any_around && !side.reads.empty()) return false;
    for (const WideKernel<D>& kernel : kernels_)
      if (kernel.is_step && needs_place(kernel)) return false;
    return parts_.size() > 1;
  }

  /// Widens cells along the axes that a part does not have whole, up to the grid's ends.
  Cells<D> around(const Cells<D>& part, Cells<D> cells, const Cell<D>& width) const {
    for (int a = 0; a < D; ++a) {
      if (part.along(a) == whole_[a]) continue;
      cells.begin[a] -= width[a];
      cells.end[a] += width[a];
      if (around_[a]) continue;
      cells.begin[a] = std::max<std::int64_t>(cells.begin[a], 0);
      cells.end[a] = std::min(cells.end[a], whole_[a]);
    }
    return cells;
  }

  /// Cells, by the whole grids in a row that they lie in.
  void add_images(int field, const Cells<D>& part, Cells<D> cells, Cell<D> shift, int axis,
                  std::vector<Need<D>>& list) const {
    if (axis < 0) {
      std::vector<Cells<D>> missing{cells};
      if (shift == Cell<D>{}) missing.clear(), cells.add_without(part, missing);
      for (const Cells<D>& one : missing) list.push_back({field, one, shift});
      return;
    }
    const std::int64_t size = whole_[axis];
    for (std::int64_t first = cells.begin[axis]; first < cells.end[axis];) {
      const std::int64_t grids = first >= 0 ? first / size : -((size - 1 - first) / size);
      const std::int64_t end = std::min(cells.end[axis], (grids + 1) * size);
      Cells<D> image = cells;
      image.begin[axis] = first - grids * size;
      image.end[axis] = end - grids * size;
      shift[axis] = grids * size;
      add_images(field, part, image, shift, axis - 1, list);
      first = end;
    }
  }

  const std::vector<FieldSides<D>>& sides_;
  std::vector<WideKernel<D>> kernels_;
  Cell<D> whole_, margin_{};
  const std::vector<Cells<D>>& parts_;
  std::vector<Cells<D>> computed_;
  std::array<bool, D> cut_{}, around_{};
  std::vector<Reaches> reach_;  // by kernel
  bool is_possible_ = false;
};

}  // namespace paraiso_mpi
