#include "paraiso/om/cells/ghost_sources.hpp"

#include <algorithm>

#include "paraiso/om/cells/sides.hpp"

namespace paraiso::om {
namespace {

/// A segment on its way inside: index begin + i has become from + i * step.
struct Walk {
  std::int64_t begin, end, from;
  int step;  // 1; -1 after an odd number of reflections; 0 where all have become one index

  [[nodiscard]] std::int64_t least() const { return step < 0 ? from - (end - begin - 1) : from; }
  [[nodiscard]] std::int64_t beyond() const { return step > 0 ? from + (end - begin) : from + 1; }
};

/// The part of a walk whose indices have become one of [low, high); empty if begin >= end.
Walk between(Walk walk, std::int64_t low, std::int64_t high) {
  const std::int64_t under = std::max<std::int64_t>(0, low - walk.least());
  const std::int64_t over = std::max<std::int64_t>(0, walk.beyond() - high);
  if (walk.step == 0) {
    if (under > 0 || over > 0) walk.end = walk.begin;
    return walk;
  }
  walk.begin += walk.step > 0 ? under : over;
  walk.end -= walk.step > 0 ? over : under;
  walk.from += walk.step > 0 ? under : -over;
  return walk;
}

Segment segment_of(const Walk& walk, const std::array<Boundary, 2>& sides, const Boundary* filled) {
  const std::int64_t shift = is_cyclic(sides) ? walk.begin - walk.from : 0;
  return {walk.begin, walk.end, walk.least(), walk.beyond(), shift, filled};
}

/// One application of a side's rule; false where it fills the cells.
bool apply(const Boundary& side, bool upper, std::int64_t n, Walk& walk) {
  if (std::holds_alternative<Cyclic>(side)) {
    walk.from += upper ? -n : n;
  } else if (std::holds_alternative<Outflow>(side)) {
    walk.from = upper ? n - 1 : 0;
    walk.step = 0;
  } else if (std::holds_alternative<Reflect>(side)) {
    walk.from = upper ? 2 * n - 1 - walk.from : -1 - walk.from;
    walk.step = -walk.step;
  } else {
    return false;
  }
  return true;
}

constexpr std::int64_t kFar = std::int64_t{1} << 62;

}  // namespace

std::vector<Segment> segments_of(std::int64_t begin, std::int64_t end, std::int64_t n,
                                 const std::array<Boundary, 2>& sides) {
  std::vector<Segment> segments;
  std::vector<Walk> walks = {{begin, end, begin, 1}};
  while (!walks.empty()) {
    const Walk walk = walks.back();
    walks.pop_back();
    if (const Walk inside = between(walk, 0, n); inside.begin < inside.end)
      segments.push_back(segment_of(inside, sides, nullptr));
    for (const bool upper : {false, true}) {
      Walk outside = upper ? between(walk, n, kFar) : between(walk, -kFar, 0);
      if (outside.begin >= outside.end) continue;
      if (apply(sides[upper], upper, n, outside))
        walks.push_back(outside);
      else
        segments.push_back(segment_of(outside, sides, &sides[upper]));
    }
  }
  return segments;
}

std::vector<Source> sources_of(const Static& local, const Box& box, const Cell& size) {
  const std::size_t axes = size.size();
  std::vector<Source> sources;
  // An index is brought inside along the last axis first; where a side fills the cells, the axes
  // before it keep theirs.
  const auto descend = [&](const auto& self, std::size_t axis, Source source) -> void {
    if (axis == 0) {
      sources.push_back(std::move(source));
      return;
    }
    const std::size_t a = axis - 1;
    for (const Segment& s : segments_of(box.lower[a], box.upper[a], size[a], local.boundary[a])) {
      Source next = source;
      next.cells.lower[a] = s.first;
      next.cells.upper[a] = s.last;
      next.shift[a] = s.shift;
      if (s.filled == nullptr) {
        self(self, a, std::move(next));
      } else if (const auto* user = std::get_if<UserBoundary>(s.filled)) {
        next.kernel = user->kernel;
        sources.push_back(std::move(next));
      }
    }
  };
  descend(descend, axes, {box, Cell(axes, 0), {}});
  return sources;
}

}  // namespace paraiso::om
