#include "paraiso/tune/versions/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {
namespace {

std::int64_t whole(double length) { return std::max<std::int64_t>(1, std::llround(length)); }

/// Grids of as many cells as the largest.
LadderSize with_rows_of(const Rungs& rungs, double length) {
  LadderSize size = rungs.largest;
  const double cells = static_cast<double>(size.front()) * static_cast<double>(size.back());
  size.front() = whole(length);
  size.back() = whole(cells / static_cast<double>(size.front()));
  return size;
}

/// A size with that part of the cells, or with rows of that part of the length.
LadderSize size_of_part(const Rungs& rungs, double part) {
  if (rungs.shapes) return with_rows_of(rungs, static_cast<double>(rungs.largest.front()) * part);
  const double along_each = std::pow(part, 1 / static_cast<double>(rungs.largest.size()));
  LadderSize size;
  for (const std::int64_t length : rungs.largest)
    size.push_back(whole(static_cast<double>(length) * along_each));
  return size;
}

bool contains(const std::vector<LadderSize>& sizes, const LadderSize& size) {
  return std::ranges::find(sizes, size) != sizes.end();
}

/// One of the ladders; those that judge lie half a rung further down.
std::vector<LadderSize> ladder(const Rungs& rungs, double further_down,
                               const std::vector<LadderSize>& others) {
  std::vector<LadderSize> sizes;
  for (int rung = rungs.count - 1; rung >= 0; --rung) {
    LadderSize size = size_of_part(rungs, std::exp2(-(rung + further_down) / rungs.a_halving));
    if (!contains(sizes, size) && !contains(others, size)) sizes.push_back(std::move(size));
  }
  return sizes;
}

/// On the scale of logarithms.
LadderSize size_on_the_way(const Rungs& rungs, const LadderSize& below, const LadderSize& above,
                           double part) {
  const auto between = [&](std::size_t axis) {
    const auto from = static_cast<double>(below[axis]), to = static_cast<double>(above[axis]);
    return from * std::pow(to / from, part);
  };
  if (rungs.shapes) return with_rows_of(rungs, between(0));
  LadderSize size;
  for (std::size_t axis = 0; axis < below.size(); ++axis) size.push_back(whole(between(axis)));
  return size;
}

}  // namespace

Ladders ladders(const Rungs& rungs) {
  Ladders made{ladder(rungs, 0, {}), {}};
  made.judged = ladder(rungs, 0.5, made.tuned);
  return made;
}

std::optional<LadderSize> size_between(const Rungs& rungs, const LadderSize& below,
                                       const LadderSize& above,
                                       const std::vector<LadderSize>& taken) {
  for (const int eighths : {4, 3, 5, 2, 6, 1, 7}) {
    LadderSize size = size_on_the_way(rungs, below, above, eighths / 8.0);
    if (size != below && size != above && !contains(taken, size)) return size;
  }
  return std::nullopt;
}

}  // namespace paraiso::tune
