// ghost_sources: where the values of the cells of a box come from, ghost cells included.
// Gives: Segment, segments_of, Source, sources_of. Needs: Machine, Box.
//
// Along one axis the rules of the two sides map intervals to intervals: a box that reaches over the
// edges of the grid falls into few parts, each of which copies one box of core cells, or is filled
// by a fixed value or a boundary kernel.
#pragma once

#include "paraiso/om/cells/box.hpp"
#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

/// Indices [begin, end) of one axis, all treated alike. They become [first, last), in this order or
/// reversed; those of an outflow side become one index.
struct Segment {
  std::int64_t begin = 0, end = 0;
  std::int64_t first = 0, last = 0;
  std::int64_t shift = 0;            // begin - first where a cyclic axis goes round, else 0
  const Boundary* filled = nullptr;  // by Fixed or UserBoundary, at the indices [first, last)
};

/// The segments of indices [begin, end) along an axis of n cells between two sides.
[[nodiscard]] std::vector<Segment> segments_of(std::int64_t begin, std::int64_t end, std::int64_t n,
                                               const std::array<Boundary, 2>& sides);

/// What the cells of one part of a box come from.
struct Source {
  Box cells;   // core cells that they copy; or, if `kernel` is valid, the cells that it is run at
  Cell shift;  // of each axis that goes round: the part lies that far from `cells`
  BoundaryKernelId kernel;
};
/// All sources of the cells of `box` of a Local on a grid of that size, except fixed values.
[[nodiscard]] std::vector<Source> sources_of(const Static& local, const Box& box, const Cell& size);

}  // namespace paraiso::om
