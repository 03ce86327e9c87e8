#include "paraiso/tune/rivals/median_interval.hpp"

#include <map>

#include "paraiso/base/median.hpp"

namespace paraiso::tune {

Interval median_interval(const std::vector<double>& values,
                         const std::vector<std::string>& programs) {
  std::map<std::string, std::vector<double>> by_name;
  for (std::size_t v = 0; v < values.size(); ++v) by_name[programs[v]].push_back(values[v]);
  std::vector<std::vector<double>> groups;
  for (auto& [name, group] : by_name) groups.push_back(std::move(group));
  return resampled([&](Rng& rng) {
    std::vector<double> drawn;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& group = groups[rng.below(groups.size())];
      drawn.insert(drawn.end(), group.begin(), group.end());
    }
    return median(std::move(drawn));
  });
}

}  // namespace paraiso::tune
