#include "paraiso/tune/predict/near/place.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "paraiso/tune/predict/likeness.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

/// By the name of a group of features, with its numbers in the order of their names.
using Groups = std::map<std::string, std::map<std::string, double>>;

Groups groups_of(const Features& features) {
  Groups groups;
  for (const auto& [name, value] : features.numbers) groups[group_of(name)][name] = value;
  return groups;
}

}  // namespace

Place place_of(const Features& features, bool on_ranks) {
  Place place{Features::kVersion, {}, {}};
  Json names = Json::array(), words = Json::object();
  for (const auto& [group, numbers] : groups_of(features))
    for (const auto& [name, value] : numbers) {
      names.push_back(name);
      place.numbers.push_back(static_cast<float>(logarithm(name, value)));
    }
  for (const auto& [name, value] : features.words) words[name] = value;
  place.axes = Json({{"on_ranks", on_ranks}, {"numbers", names}, {"words", words}}).dump();
  return place;
}

PlaceAxes axes_from(const std::string& text) {
  const Json json = Json::parse(text);
  return {json.at("on_ranks").get<bool>(), json.at("numbers").get<std::vector<std::string>>(),
          json.at("words").get<std::map<std::string, std::string>>()};
}

bool comparable(const Features& features, const PlaceAxes& axes) {
  const auto backend = axes.words.find("instance.backend");
  const auto wanted = features.word("instance.backend");
  return backend == axes.words.end() ? !wanted : wanted == backend->second;
}

PlaceDistance::PlaceDistance(const Features& from, const PlaceAxes& axes)
    : comparable_(comparable(from, axes)) {
  Groups missing = groups_of(from);
  std::map<std::string, Group> groups;
  for (const std::string& name : axes.numbers) {
    Group& group = groups[group_of(name)];
    if (group.count == 0) group.begin = from_.size();
    group.end = from_.size() + 1, ++group.count;
    from_.push_back(static_cast<float>(logarithm(name, from.number(name).value_or(0))));
    missing[group_of(name)].erase(name);
  }
  const auto add = [&](const std::string& name, double difference) {
    Group& group = groups[group_of(name)];
    group.squares += static_cast<float>(difference * difference), ++group.count;
  };
  for (const auto& [group, numbers] : missing)
    for (const auto& [name, value] : numbers) add(name, difference(name, value, 0));
  for (const auto& [name, value] : axes.words) add(name, from.word(name) == value ? 0 : 1);
  for (const auto& [name, group] : groups) groups_.push_back(group);
}

float PlaceDistance::operator()(std::span<const float> numbers) const {
  if (!comparable_ || numbers.size() != from_.size()) return std::numeric_limits<float>::infinity();
  float sum = 0;
  for (const Group& group : groups_) {
    float squares = group.squares;
    for (std::size_t n = group.begin; n < group.end; ++n) {
      const float far = std::abs(numbers[n] - from_[n]);
      squares += far < kMostDifferent ? far * far : kMostDifferent * kMostDifferent;  // also of NaN
    }
    sum += std::sqrt(squares / group.count);
  }
  return groups_.empty() ? 0 : sum / static_cast<float>(groups_.size());
}

}  // namespace paraiso::tune
