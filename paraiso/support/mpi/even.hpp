// Where to cut a grid into parts that take about as long as each other.
// Gives: EvenCuts in paraiso_mpi. Needs: reduction.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "paraiso/support/reduction.hpp"

namespace paraiso_mpi {

/// A box of cells is cut in two, as its parts are: across the axis along which it is longest, into
/// halves. A small number of parts is also tried with every other first cut, and such a one is
/// taken where that makes the slowest part faster by more than neighbours that don't meet may cost.
/// Rows, along axis 0, are cut only where nothing else can be; long ones between chunks of the
/// reduction tree (reduction.hpp), where a sum is a few numbers and not the cells around the cut.
class EvenCuts {
 public:
  using Extents = std::vector<std::int64_t>;  // cells along each axis
  struct Cut {
    int axis;
    std::int64_t below, parts_below;  // layers of cells on its lower side, and parts
  };

  explicit EvenCuts(Extents whole) : whole_(std::move(whole)) {}

  /// The first cut of a box for two parts or more, of which there are no more than cells.
  Cut cut(const Extents& box, std::int64_t parts) {
    return parts > most_searched_ ? halves(box, parts) : best(box, parts).cut;
  }

 private:
  struct Choice {
    Cut cut;
    double cells;  // that the slowest part takes as long as
  };

  /// Of one part. A row costs as some cells do, and so does a neighbour's cell.
  double cells_of(const Extents& part) const {
    double rows = 1, sides = 1;
    for (std::size_t a = 1; a < part.size(); ++a) {
      rows *= static_cast<double>(part[a]);
      if (part[a] < whole_[a]) sides += 2 / static_cast<double>(part[a]);
    }
    const double row = static_cast<double>((part[0] + 7) / 8 * 8 + 8);
    return rows * (row * sides + (part[0] < whole_[0] ? 16 : 0));
  }

  static Cut halves(const Extents& box, std::int64_t parts) {
    int axis = 0;
    for (std::size_t a = 1; a < box.size(); ++a)
      if (box[a] >= 2 && (axis == 0 || box[a] >= box[static_cast<std::size_t>(axis)]))
        axis = static_cast<int>(a);
    const std::int64_t length = box[static_cast<std::size_t>(axis)], others = across(box, axis);
    std::int64_t below =
        std::clamp<std::int64_t>((length * (parts / 2) + parts / 2) / parts, 1, length - 1);
    if (axis == 0 && length / parts >= 16 * chunk_) below = (below + chunk_ / 2) / chunk_ * chunk_;
    return {axis, below,
            std::clamp((parts * below + length / 2) / length,
                       std::max<std::int64_t>(1, parts - (length - below) * others),
                       std::min(parts - 1, below * others))};
  }
  /// Of the cells of one layer.
  static std::int64_t across(const Extents& box, int axis) {
    std::int64_t cells = 1;
    for (std::size_t a = 0; a < box.size(); ++a)
      if (a != static_cast<std::size_t>(axis)) cells *= box[a];
    return cells;
  }

  double cells_after(const Extents& box, std::int64_t parts, const Cut& cut) {
    const auto axis = static_cast<std::size_t>(cut.axis);
    Extents lower = box, upper = box;
    lower[axis] = cut.below;
    upper[axis] -= cut.below;
    return std::max(cells_in(lower, cut.parts_below), cells_in(upper, parts - cut.parts_below));
  }
  double cells_in(const Extents& box, std::int64_t parts) {
    return parts == 1 ? cells_of(box) : best(box, parts).cells;
  }

  Choice best(const Extents& box, std::int64_t parts) {
    const auto known = known_.find({box, parts});
    if (known != known_.end()) return known->second;
    const Cut first = halves(box, parts);
    Choice choice{first, cells_after(box, parts, first)};
    double least = choice.cells * worth_it_;
    for (std::size_t a = 1; a < box.size() && first.axis > 0; ++a)
      for (std::int64_t below = parts / 2; below > 0; --below) {
        const Cut cut{static_cast<int>(a), (2 * box[a] * below + parts) / (2 * parts), below};
        const std::int64_t others = across(box, cut.axis), above = box[a] - cut.below;
        if (cut.below < 1 || above < 1 || below > cut.below * others ||
            parts - below > above * others)
          continue;
        const double cells = cells_after(box, parts, cut);
        if (cells < least) choice = {cut, least = cells};
      }
    return known_.emplace(std::pair(box, parts), choice).first->second;
  }

  static constexpr std::int64_t most_searched_ = 64, chunk_ = paraiso_support::chunk_cells;
  static constexpr double worth_it_ = 0.97;

  Extents whole_;
  std::map<std::pair<Extents, std::int64_t>, Choice> known_;
};

}  // namespace paraiso_mpi
