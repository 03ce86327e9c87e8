#include "paraiso/tune/predict/likeness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace paraiso::tune {

namespace {

/// The sum of squares of a group's differences, and how many there are.
struct Differences {
  double squares = 0, count = 0;
  void add(double difference) { squares += difference * difference, ++count; }
};

/// What is added to a number before its logarithm: where a smaller number is as good as none.
double floor_of(const std::string& name) {
  const bool is_part = name.starts_with("plan.") || name.find("_per_cache") != std::string::npos;
  return is_part ? 0.01 : 1;
}

/// One may lack what the other has: a third axis, a third level of cache.
std::map<std::string, std::pair<double, double>> paired(const Features& one,
                                                        const Features& other) {
  std::map<std::string, std::pair<double, double>> pairs;
  for (const auto& [name, value] : one.numbers) pairs[name].first = value;
  for (const auto& [name, value] : other.numbers) pairs[name].second = value;
  return pairs;
}

}  // namespace

std::string group_of(const std::string& name) { return name.substr(0, name.find('.')); }

double logarithm(const std::string& name, double value) {
  return std::log2(std::abs(value) + floor_of(name));
}

double difference(const std::string& name, double one, double other) {
  const double least = floor_of(name);
  const double ratio = std::log2((std::abs(one) + least) / (std::abs(other) + least));
  return std::min(std::abs(ratio), double{kMostDifferent});
}

double distance(const Features& one, const Features& other) {
  if (one.word("instance.backend") != other.word("instance.backend"))
    return std::numeric_limits<double>::infinity();
  std::map<std::string, Differences> groups;
  for (const auto& [name, values] : paired(one, other))
    groups[group_of(name)].add(difference(name, values.first, values.second));
  for (const auto& [name, value] : one.words)
    groups[group_of(name)].add(other.word(name) == value ? 0 : 1);
  double sum = 0;
  for (const auto& [name, group] : groups) sum += std::sqrt(group.squares / group.count);
  return groups.empty() ? 0 : sum / static_cast<double>(groups.size());
}

double likeness(double distance) { return std::exp2(-distance); }

}  // namespace paraiso::tune
