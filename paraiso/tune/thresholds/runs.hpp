// Runs: what is known of the times of a program, so that nothing is run twice.
// Gives: MeasureRun, Runs. Needs: guard_tree.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "paraiso/tune/thresholds/guard_tree.hpp"

namespace paraiso::tune {

/// The cost of one data set along a path: seconds, or a ratio to those of another path. None: it
/// was stopped at `limit`. How that is measured is the caller's affair.
using MeasureRun =
    std::function<std::optional<double>(std::size_t data, const Path& path, double limit)>;

class Runs {
 public:
  /// `limit_of(data)`: when a run of a data set is stopped; none: never.
  Runs(GuardTree guards, std::vector<DataSet> data, MeasureRun measure,
       std::function<double(std::size_t)> limit_of = {});

  [[nodiscard]] const GuardTree& guards() const { return guards_; }
  [[nodiscard]] const std::vector<DataSet>& data() const { return data_; }
  [[nodiscard]] std::vector<Path> paths(const Configuration& configuration) const;

  /// The cost of a data set; infinite where it was stopped. Runs it unless that is known.
  double cost(std::size_t data, const Path& path);
  /// The sum over all data sets; infinite as soon as one of them is stopped.
  double total(const Configuration& configuration);
  /// The same, and all data sets are run, known or not: for tuners that know no paths.
  double total_again(const Configuration& configuration);
  /// Whether a data set along one of these paths was stopped.
  [[nodiscard]] bool stops(const std::vector<Path>& paths) const;

  [[nodiscard]] int count() const { return count_; }  // data sets that were run
  [[nodiscard]] int stopped() const { return static_cast<int>(stopped_.size()); }

 private:
  double run(std::size_t data, const Path& path);

  GuardTree guards_;
  std::vector<DataSet> data_;
  MeasureRun measure_;
  std::function<double(std::size_t)> limit_of_;
  std::map<std::pair<std::size_t, Path>, double> known_;
  std::set<std::pair<std::size_t, Path>> stopped_;
  int count_ = 0;
};

}  // namespace paraiso::tune
