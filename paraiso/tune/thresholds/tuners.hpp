// The tuners of thresholds, from Futhark's first to its present one; each is a file.
// Gives: Found, NotMonotone, by_comparison, by_branch, distinct_configurations, by_hill,
// by_hill_and_branch, monotone, comparison_count. Needs: runs.
#pragma once

#include <limits>

#include "paraiso/tune/thresholds/runs.hpp"

namespace paraiso::tune {

/// A data set that a threshold makes slower than it need be: the program is not monotone there.
struct NotMonotone {
  std::size_t guard, data;
  double ratio;  // of its cost to that with the other outcome
};

struct Found {
  Configuration thresholds;
  double cost = std::numeric_limits<double>::infinity();  // summed over data sets
  int tries = 0;                                          // configurations that were run
  int eliminated = 0;  // those that were not, because a data set is known to be stopped
  std::vector<NotMonotone> not_monotone;

  /// Takes it if it costs less, or is the first one.
  void offer(const Configuration& configuration, double its_cost) {
    if (its_cost >= cost && !thresholds.empty()) return;
    cost = its_cost;
    thresholds = configuration;
  }
};

/// The number of configurations that differ in some comparison: the product of choices_of.
[[nodiscard]] double comparison_count(const Runs& runs);

/// Tries all configurations that differ in some comparison, reached or not. Throws Error where
/// there are more than ten million.
[[nodiscard]] Found by_comparison(Runs& runs);

/// Of these, the first of each tuple of paths of all data sets.
[[nodiscard]] std::vector<Configuration> distinct_configurations(const Runs& runs);
/// Tries those, without the ones along whose path a data set was stopped already.
[[nodiscard]] Found by_branch(Runs& runs);

/// Climbs from random points on the scale of logarithms from 0 to above the largest measure of the
/// data sets, knowing nothing of comparisons, until `tries` are spent (Futhark's first tuner, on
/// OpenTuner's climbers).
[[nodiscard]] Found by_hill(Runs& runs, int tries, std::uint64_t seed);

/// Climbs from a random place between the smallest and the largest compared value of each
/// threshold; a configuration whose paths are known is not run again. Ends at a local optimum (the
/// thesis's final tuner).
[[nodiscard]] Found by_hill_and_branch(Runs& runs, std::uint64_t seed);

/// One threshold after the other, those that are reached last first; for each the exact split of
/// the data sets, if those where it had better hold are above all others (Munksgaard et al., TFP
/// 2021). Bisects: at most 2 log2(m) + 2 runs a threshold with m compared values. With `check` it
/// runs all data sets both ways, takes the cheapest split, and reports each data set that this
/// makes more than 2 % slower.
[[nodiscard]] Found monotone(Runs& runs, bool check = true);

}  // namespace paraiso::tune
