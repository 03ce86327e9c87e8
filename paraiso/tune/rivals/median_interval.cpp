#include "paraiso/tune/rivals/median_interval.hpp"

#include <algorithm>
#include <map>

#include "paraiso/base/median.hpp"
#include "paraiso/base/rng.hpp"

namespace paraiso::tune {

namespace {

constexpr std::size_t kResamples = 2000;

}  // namespace

MedianInterval median_interval(const std::vector<double>& values,
                               const std::vector<std::string>& programs) {
  std::map<std::string, std::vector<double>> by_name;
  for (std::size_t v = 0; v < values.size(); ++v) by_name[programs[v]].push_back(values[v]);
  std::vector<std::vector<double>> groups;
  for (auto& [name, group] : by_name) groups.push_back(std::move(group));
  Rng rng(1);
  std::vector<double> medians;
  for (std::size_t r = 0; r < kResamples; ++r) {
    std::vector<double> drawn;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& group = groups[rng.below(groups.size())];
      drawn.insert(drawn.end(), group.begin(), group.end());
    }
    medians.push_back(median(std::move(drawn)));
  }
  std::ranges::sort(medians);
  return {medians[kResamples / 40], medians[kResamples - 1 - kResamples / 40]};
}

}  // namespace paraiso::tune
