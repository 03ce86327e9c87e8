#include "paraiso/tune/thresholds/guard_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <regex>
#include <set>
#include <sstream>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {
namespace {

/// Before they are in order: by name, what each needs.
using Written = std::vector<std::pair<std::string, std::vector<std::pair<std::string, bool>>>>;

Written read_lines(std::string_view text) {
  static const std::regex line_form(R"(([^ ]+) \(threshold \(([^)]*)\)\))");
  Written written;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_search(line, found, line_form)) continue;
    auto& [name, needs] = written.emplace_back(found[1].str(), Written::value_type::second_type{});
    std::istringstream words(found[2].str());
    for (std::string word; words >> word;) {
      const bool negated = word.front() == '!';
      needs.emplace_back(word.substr(negated ? 1 : 0), !negated);
    }
  }
  return written;
}

/// Of two compared values, one between them by their ratio: greater than the first.
std::int64_t between(std::int64_t below, std::int64_t above) {
  const double middle = std::sqrt(std::max(static_cast<double>(below), 0.0) *
                                  std::max(static_cast<double>(above), 0.0));
  return std::clamp(static_cast<std::int64_t>(middle), below + 1, above);
}

/// Throws Error for one that no 64 bits hold.
std::int64_t whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc()) throw Error(fmt::format("`{}` is too large to be compared", text));
  return value;
}

}  // namespace

GuardTree parse_guards(std::string_view text) {
  Written written = read_lines(text);
  std::set<std::string> names;
  for (const auto& entry : written) names.insert(entry.first);
  for (auto& entry : written)
    std::erase_if(entry.second, [&](const auto& need) { return !names.contains(need.first); });
  GuardTree guards;
  std::map<std::string, std::size_t> placed;
  while (guards.size() < written.size()) {
    const std::size_t before = guards.size();
    for (const auto& [name, needs] : written) {
      const auto known = [&](const auto& need) { return placed.contains(need.first); };
      if (placed.contains(name) || !std::ranges::all_of(needs, known)) continue;
      Guard& made = guards.emplace_back(Guard{name, {}});
      for (const auto& [other, met] : needs) made.needs.push_back({placed.at(other), met});
      placed[name] = guards.size() - 1;
    }
    if (guards.size() == before)
      throw Error("thresholds need each other in a circle, or one is listed twice");
  }
  return guards;
}

std::map<std::string, std::int64_t> parse_comparisons(std::string_view text) {
  static const std::regex form(R"(Compared ([^ ]+) <= (-?[0-9]+)\.?)");  // Futhark's own
  std::map<std::string, std::int64_t> compared;
  const std::string all(text);
  for (std::sregex_iterator found(all.begin(), all.end(), form), end; found != end; ++found)
    compared[(*found)[1].str()] = whole_number((*found)[2].str());
  return compared;
}

DataSet data_set_of(const GuardTree& guards, std::string name,
                    const std::map<std::string, std::int64_t>& compared) {
  DataSet data{std::move(name), {}};
  for (const Guard& comparison : guards) {
    const auto found = compared.find(comparison.name);
    if (found == compared.end())
      throw Error(fmt::format("the run of `{}` did not compare `{}`", data.name, comparison.name));
    data.values.push_back(found->second);
  }
  return data;
}

Path path_of(const GuardTree& guards, const DataSet& data, const Configuration& configuration) {
  Path path(guards.size(), Branch::not_reached);
  for (std::size_t c = 0; c < guards.size(); ++c) {
    const auto given = [&](const Need& need) {
      return path[need.comparison] == (need.met ? Branch::holds : Branch::fails);
    };
    if (std::ranges::all_of(guards[c].needs, given))
      path[c] = configuration[c] <= data.values[c] ? Branch::holds : Branch::fails;
  }
  return path;
}

std::vector<std::int64_t> choices_of(const std::vector<DataSet>& data, std::size_t comparison) {
  std::set<std::int64_t> compared;
  for (const DataSet& one : data) compared.insert(one.values[comparison]);
  std::vector<std::int64_t> choices{0};
  for (auto value = compared.begin(); value != compared.end(); ++value) {
    const auto next = std::next(value);
    choices.push_back(next == compared.end() ? INT64_MAX : between(*value, *next));
  }
  return choices;
}

}  // namespace paraiso::tune
