#include "paraiso/plan/dispatch/versions_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/support/thresholds.hpp"

namespace paraiso::plan {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string place_of(std::string_view file, int line) {
  return fmt::format("{}, line {}", shown(file), line);
}

[[noreturn]] void fail(std::string_view file, int line, const std::string& why) {
  throw Error(fmt::format("{}: {}", place_of(file, line), why));
}

/// What is wrong with a word that is no identifier.
const char* why_no_name(const std::string& word) {
  if (word[0] >= '0' && word[0] <= '9') return "it begins with a digit";
  if (word.find("__") != std::string::npos) return "it has two `_` in a row";
  return word.size() > 64 ? "it is longer than 64 characters" : "it needs letters, digits and `_`";
}

/// `when THRESHOLD <= MEASURE`, from the third word on.
GuardedName parse_guard(const std::vector<std::string>& words, std::string_view file, int line) {
  if (words.size() != 6 || words[2] != "when" || words[4] != "<=")
    fail(file, line, "expected `NAME SCHEDULE when THRESHOLD <= MEASURE`, or without `when` last");
  const std::int64_t least = paraiso_support::threshold_value(words[3]);
  if (least < 0)
    fail(file, line,
         fmt::format("a threshold is a whole number from 0 to {}, not {}", kLargestThreshold,
                     shown(words[3])));
  const auto measure = find_measure(words[5]);
  if (!measure) {
    std::vector<std::string> names;
    for (const Measure one : measures()) names.emplace_back(name(one));
    fail(file, line,
         fmt::format("no measure {}: there are `{}`", shown(words[5]), fmt::join(names, "`, `")));
  }
  return {words[0], *measure, least};
}

}  // namespace

std::vector<VersionLine> parse_versions(std::string_view text, std::string_view file) {
  std::vector<VersionLine> versions;
  std::istringstream stream{std::string(text)};
  int number = 0, base = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (base > 0) fail(file, base, "without a guard it always runs: nothing may come after it");
    if (words.size() == 1) fail(file, number, "expected a name and a schedule");
    if (!is_identifier(words[0]))
      fail(file, number,
           fmt::format("{} is no name of a version: {}", shown(words[0]), why_no_name(words[0])));
    VersionLine& version =
        versions.emplace_back(VersionLine{words[0], words[1], {}, place_of(file, number)});
    if (words.size() == 2)
      base = number;
    else
      version.guard = parse_guard(words, file, number);
  }
  if (versions.size() < 2)
    throw Error(fmt::format("{} has {} version{}: expected 2 to {}", shown(file), versions.size(),
                            versions.size() == 1 ? "" : "s", kMostVersions));
  if (base == 0) fail(file, number, "the last version has no guard: it runs if none holds");
  return versions;
}

std::string print_versions(const std::vector<VersionLine>& versions) {
  std::string text;
  for (const VersionLine& version : versions) {
    text += fmt::format("{} {}", version.name, version.schedule);
    if (version.guard)
      text += fmt::format(" when {} <= {}", version.guard->least, name(version.guard->measure));
    text += '\n';
  }
  return text;
}

Thresholds read_tuning(const std::string& file, const std::optional<Dispatch>& dispatch,
                       const std::string& machine, const std::vector<std::string>& loops) {
  Thresholds tuning;
  try {
    for (const auto& [name, value] : paraiso_support::read_tuning(file)) tuning[name] = value;
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  }
  const std::string own = machine + ".";
  const auto foreign = [&](const auto& entry) { return !entry.first.starts_with(own); };
  if (const auto found = std::ranges::find_if(tuning, foreign); found != tuning.end())
    throw Error(
        fmt::format("{} is not for `{}`: it sets {}", shown(file), machine, shown(found->first)));
  Thresholds others = tuning;
  for (const std::string& name : loops) others.erase(name);
  if (!dispatch && !others.empty())
    throw Error(fmt::format("{}: `{}` has no versions here, and so no threshold {}", shown(file),
                            machine, shown(others.begin()->first)));
  try {
    if (dispatch) check_tuning(*dispatch, others, loops);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", shown(file), error.diagnostics()[0].message));
  }
  return tuning;
}

std::string print_tuning(const Thresholds& tuning) {
  std::string text;
  for (const auto& [name, value] : tuning) text += fmt::format("{}={}\n", name, value);
  return text;
}

}  // namespace paraiso::plan
