// GuardTree: the comparisons `threshold <= value` of a program, which of them are reached, and the
// data sets that tell them apart. Gives: Need, Guard, GuardTree, DataSet, Branch, Path,
// Configuration, parse_guards, parse_comparisons, data_set_of, path_of, choices_of.
// Needs: nothing.
//
// The texts are Futhark's, which `show --thresholds` and `--log-thresholds` print:
//
//   suff_outer_par_1 (threshold ())                     a root
//   suff_intra_par_2 (threshold (!suff_outer_par_1))    reached where the first one fails
//   Compared suff_outer_par_1 <= 1024.                  of each data set, reached or not
//
// After F. Thorøe, "Auto-tuning of threshold-parameters in Futhark" (2018), sections 3.3 to 3.8.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace paraiso::tune {

/// An outcome of another comparison, without which one is not reached.
struct Need {
  std::size_t comparison;
  bool met;  // false: it must fail
};

struct Guard {
  std::string name;  // of the threshold
  std::vector<Need> needs;
};

/// The comparisons of a program, those that others need before them.
using GuardTree = std::vector<Guard>;

/// One size of the problem: what each threshold of the guards is compared with.
struct DataSet {
  std::string name;
  std::vector<std::int64_t> values;
};

/// A value for each threshold.
using Configuration = std::vector<std::int64_t>;

enum class Branch : std::uint8_t { not_reached, fails, holds };
/// What one data set runs: an outcome of each comparison.
using Path = std::vector<Branch>;

/// From lines `NAME (threshold (!A B))`; other lines and names that are no thresholds are ignored.
/// Throws Error where comparisons need each other in a circle.
[[nodiscard]] GuardTree parse_guards(std::string_view text);
/// From `Compared NAME <= VALUE.` lines, which may stand among others.
[[nodiscard]] std::map<std::string, std::int64_t> parse_comparisons(std::string_view text);
/// Throws Error where a threshold was not compared.
[[nodiscard]] DataSet data_set_of(const GuardTree& guards, std::string name,
                                  const std::map<std::string, std::int64_t>& compared);

[[nodiscard]] Path path_of(const GuardTree& guards, const DataSet& data,
                           const Configuration& configuration);

/// The values of a threshold that differ in what they do: one that holds for all data sets, one
/// between each two compared values, one that fails for all.
[[nodiscard]] std::vector<std::int64_t> choices_of(const std::vector<DataSet>& data,
                                                   std::size_t comparison);

}  // namespace paraiso::tune
