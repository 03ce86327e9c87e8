// overlap_fits: how well the shares of best recipes of two programs are predicted from their
// features, by regressions that saw neither program's solver. Gives: OverlapFit, kOverlapCount,
// overlap_fits. Needs: rivals.
#pragma once

#include "paraiso/tune/rivals/rivals.hpp"

namespace paraiso::tune {

/// The part of the variance of the overlaps that is predicted (R^2): 1 if all is, 0 if their mean
/// would have said as much, below 0 if less.
struct OverlapFit {
  std::string name, summary;
  double r2 = 0;
};

/// Overlaps are those of so many best recipes.
inline constexpr std::size_t kOverlapCount = 5;

/// Of the pairs of a space that is held out, as `compare_rivals` does, and one that is known. Where
/// fewer than two are known there is nothing to learn from; none where that is always so. Throws
/// Error like it.
[[nodiscard]] std::vector<OverlapFit> overlap_fits(const std::vector<SolutionSpace>& spaces,
                                                   const Judging& judging = {});

}  // namespace paraiso::tune
