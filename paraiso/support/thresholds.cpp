#include "paraiso/support/thresholds.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace paraiso_support {
namespace {

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// For messages: no more than 60 characters, and none that a terminal obeys.
std::string shown(const std::string& text) {
  std::string safe = text.size() > 60 ? text.substr(0, 57) + "..." : text;
  for (char& c : safe)
    if (c < ' ' || c > '~') c = '?';
  return safe;
}

}  // namespace

[[gnu::weak]] std::int64_t threshold_value(const std::string& text) {
  if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  std::uint64_t value = 0;
  for (const char digit : text) value = 10 * value + static_cast<std::uint64_t>(digit - '0');
  return value > static_cast<std::uint64_t>(INT64_MAX) ? -1 : static_cast<std::int64_t>(value);
}

[[gnu::weak]] Tuning read_tuning(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("can't read `" + path + "`: " + std::strerror(errno));
  Tuning tuning;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = without_blanks_around(line);
    if (line.empty()) continue;
    const auto fail = [&](const std::string& why) {
      throw std::runtime_error("`" + path + "`, line " + std::to_string(number) + ": " + why);
    };
    const std::size_t equals = line.find('=');
    if (equals == 0 || equals == std::string::npos || line.size() > 500)
      fail("expected `name=value`, a threshold and its number");
    std::string name = without_blanks_around(line.substr(0, equals));
    const std::string number_text = without_blanks_around(line.substr(equals + 1));
    const std::int64_t value = threshold_value(number_text);
    if (value < 0)
      fail("`" + shown(name) + "` needs a whole number from 0 to 9223372036854775807, not `" +
           shown(number_text) + "`");
    for (const auto& [known, other] : tuning)
      if (known == name) fail("`" + shown(name) + "` has a value already");
    tuning.emplace_back(std::move(name), value);
  }
  if (!file.eof()) throw std::runtime_error("can't read `" + path + "` to its end");
  return tuning;
}

[[gnu::weak]] void set_thresholds(Threshold* thresholds, std::size_t count, const Tuning& tuning) {
  const auto find = [&](const std::string& name) -> Threshold* {
    for (std::size_t i = 0; i < count; ++i)
      if (name == thresholds[i].name) return &thresholds[i];
    return nullptr;
  };
  for (const auto& [name, value] : tuning) {
    if (find(name) == nullptr) throw std::invalid_argument("no threshold `" + shown(name) + "`");
    if (value < 0) throw std::invalid_argument("the threshold `" + shown(name) + "` is at least 0");
  }
  for (const auto& [name, value] : tuning) find(name)->value = value;
}

[[gnu::weak]] std::string comparisons(const Threshold* thresholds, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += std::string("Compared ") + thresholds[i].name +
            " <= " + std::to_string(thresholds[i].measure) + ".\n";
  return text;
}

}  // namespace paraiso_support
