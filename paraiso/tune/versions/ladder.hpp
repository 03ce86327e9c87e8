// Ladders: grids from a few cells to many, or from short rows to long ones; some to tune on, and
// others, between these, to judge by. Gives: LadderSize, Rungs, Ladders, ladders, size_between.
// Needs: nothing.
//
//   tuned on            16x16       23x23       32x32      each has half the cells of the next
//   judge         13x13       19x19       27x27            each has their number / sqrt 2
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace paraiso::tune {

using LadderSize = std::vector<std::int64_t>;

struct Rungs {
  LadderSize largest;
  int count = 16;
  int a_halving = 1;    // so many rungs further down, sizes are half as large
  bool shapes = false;  // grids of as many cells: rows are shorter, and there are more of them
                        // along the last axis, which is not the first one
};

struct Ladders {
  std::vector<LadderSize> tuned, judged;  // the smallest first, or those with the shortest rows
};

/// No size is there twice, or in both. Of small grids there are fewer than asked for, since lengths
/// are whole numbers; perhaps none that judges.
[[nodiscard]] Ladders ladders(const Rungs& rungs);

/// A size between two others by the geometric mean of their lengths; where that is one of `taken`,
/// some eighths further to one side. None where there is none.
[[nodiscard]] std::optional<LadderSize> size_between(const Rungs& rungs, const LadderSize& below,
                                                     const LadderSize& above,
                                                     const std::vector<LadderSize>& taken);

}  // namespace paraiso::tune
