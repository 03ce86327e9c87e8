// narrow: sizes are added between the two around each threshold, until one knows where it lies.
// Gives: kNarrow, kMostAdded, ThresholdSplit, SplitSizes, Between, narrow_splits. Needs:
// version_times.
//
//   runs       base  base        large  large
//   size       10    20          40     80      the threshold lies between 20 and 40
//   added                  28                   by what is faster there: between 20 and 28
//
// After Thorøe's thesis (2018), section 5.4.
#pragma once

#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::tune {

inline constexpr double kNarrow = 1.1;  // ratio of the values around a threshold: close enough
inline constexpr int kMostAdded = 4;    // sizes for one threshold and call

/// A threshold, and which of a size's values is compared with it.
struct ThresholdSplit {
  std::size_t guard = 0;
  std::int64_t threshold = 0;
};
/// What was chosen from some times: splits, and the version that runs at each size.
struct SplitSizes {
  std::vector<ThresholdSplit> splits;
  std::vector<std::size_t> versions;
};

/// Where a threshold lies: the names of the sizes beside it; empty where it is beyond all of them.
struct Between {
  std::string below, above;
  int added = 0;  // sizes that were timed for it
  friend bool operator==(const Between&, const Between&) = default;
};

/// Adds sizes to `tuned` until, for each split, the values around it differ by less than 10 %, or
/// the versions that run there by less than 2 % at both sizes, or four were added. Splits that
/// `choose` finds only later are not narrowed.
[[nodiscard]] std::vector<Between> narrow_splits(
    VersionTimes& tuned, const std::function<SplitSizes(const VersionTimes&)>& choose,
    const TimeMidway& time_midway);

}  // namespace paraiso::tune
