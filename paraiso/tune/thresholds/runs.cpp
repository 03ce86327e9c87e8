#include "paraiso/tune/thresholds/runs.hpp"

#include <cmath>
#include <limits>

namespace paraiso::tune {

namespace {
constexpr double kNever = std::numeric_limits<double>::infinity();
}

Runs::Runs(GuardTree guards, std::vector<DataSet> data, MeasureRun measure,
           std::function<double(std::size_t)> limit_of)
    : guards_(std::move(guards)),
      data_(std::move(data)),
      measure_(std::move(measure)),
      limit_of_(std::move(limit_of)) {}

std::vector<Path> Runs::paths(const Configuration& configuration) const {
  std::vector<Path> paths;
  for (const DataSet& one : data_) paths.push_back(path_of(guards_, one, configuration));
  return paths;
}

double Runs::run(std::size_t data, const Path& path) {
  ++count_;
  const auto cost = measure_(data, path, limit_of_ ? limit_of_(data) : kNever);
  if (!cost) stopped_.emplace(data, path);
  return known_[{data, path}] = cost.value_or(kNever);
}

double Runs::cost(std::size_t data, const Path& path) {
  const auto known = known_.find({data, path});
  return known != known_.end() ? known->second : run(data, path);
}

double Runs::total(const Configuration& configuration) {
  double sum = 0;
  for (std::size_t d = 0; d < data_.size() && sum < kNever; ++d)
    sum += cost(d, path_of(guards_, data_[d], configuration));
  return sum;
}

double Runs::total_again(const Configuration& configuration) {
  double sum = 0;
  for (std::size_t d = 0; d < data_.size(); ++d)
    sum += run(d, path_of(guards_, data_[d], configuration));
  return sum;
}

bool Runs::stops(const std::vector<Path>& paths) const {
  for (std::size_t d = 0; d < paths.size(); ++d)
    if (stopped_.contains({d, paths[d]})) return true;
  return false;
}

}  // namespace paraiso::tune
