// VersionMap: which version of a kernel runs at which size, and where its thresholds lie among
// them. Gives: VersionMap, version_map_from, differ_in_shape, MeasuredSize, sizes_of,
// ThresholdPlace, threshold_places, Stretch, stretches_of. Needs: version_times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paraiso/tune/versions/version_times.hpp"

namespace paraiso::tune {

/// What `paraiso thresholds` has measured, and chosen by that.
struct VersionMap {
  std::vector<std::string> versions;  // the base last
  GuardTree guards;                   // of each version but the base, in the order of trying
  Configuration thresholds;
  std::size_t usual = 0;  // the version that runs untuned
  VersionTimes tuned, judged;
  // The best of all versions that were timed, kept or not, and the gain over it.
  std::string best_single;
  double gain = 1;
};

/// Reads what `paraiso thresholds --json` prints. Throws Error, which names the file, for anything
/// else.
[[nodiscard]] VersionMap version_map_from(std::string_view text, const std::string& file);

/// Whether all grids have about as many cells: then they are told apart by the lengths of rows.
[[nodiscard]] bool differ_in_shape(const VersionMap& map);

struct MeasuredSize {
  std::string name;                  // "64x32"
  double cells = 0;                  // of the grid; of a row, where grids differ in shape
  std::vector<std::int64_t> values;  // what each guard compares
  std::vector<double> seconds;       // of each version
  std::size_t taken = 0;             // the version that runs
  bool judged = false;               // the thresholds were not tuned on it
};
/// Of both ladders, the smallest first.
[[nodiscard]] std::vector<MeasuredSize> sizes_of(const VersionMap& map);

/// Where a guard begins to hold, or ends to, between two sizes.
struct ThresholdPlace {
  std::size_t guard = 0;
  double cells = 0;  // at which its measure would reach the threshold
};
/// In the order of cells.
[[nodiscard]] std::vector<ThresholdPlace> threshold_places(const VersionMap& map);

/// Sizes next to each other at which one version runs.
struct Stretch {
  std::size_t version = 0;
  double from = 0, to = 0;  // cells: of its smallest and largest size, or where a threshold lies
};
[[nodiscard]] std::vector<Stretch> stretches_of(const VersionMap& map);

}  // namespace paraiso::tune
