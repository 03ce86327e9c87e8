// Thresholds: which version of a kernel runs on a solver's grid, what its threads share, and what
// is stored past the caches. Gives: Tuning, read_tuning, Threshold, first_met, threshold_of,
// longest_work, count_tiles, set_thresholds, comparisons in paraiso_support. Needs: nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace paraiso_support {

/// Values of thresholds by name.
using Tuning = std::vector<std::pair<std::string, std::int64_t>>;

/// One guard: what it is for happens if `value <= measure`.
struct Threshold {
  const char* name;
  std::int64_t value, measure;
};

/// The number of the first of `count` guards that holds, counted from 1; 0: none.
inline int first_met(const Threshold* thresholds, int count) {
  for (int i = 0; i < count; ++i)
    if (thresholds[i].value <= thresholds[i].measure) return i + 1;
  return 0;
}

/// A number as a threshold or what one is compared with: of at least 0, whatever it is.
inline std::int64_t threshold_of(double value) {
  if (!(value > 0)) return 0;
  return value < 9e18 ? static_cast<std::int64_t>(value) : INT64_MAX;
}

/// Nanoseconds of the longest of some loops over so many cells, given the nanoseconds of a cell.
template <std::size_t... N>
std::int64_t longest_work(std::int64_t cells, const double (&... loops)[N]) {
  double most = 0;
  [[maybe_unused]] const auto take = [&](const double* of, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) most = of[i] > most ? of[i] : most;
  };
  (take(loops, N), ...);
  return threshold_of(static_cast<double>(cells) * most);
}

/// Tiles of so many cells along each axis in a grid. 0: all cells, -1: a part for each thread.
inline std::int64_t count_tiles(const std::int64_t* size, const std::int64_t* tile,
                                std::size_t axes, std::int64_t threads) {
  std::int64_t count = 1;
  for (std::size_t a = 0; a < axes; ++a) {
    if (tile[a] > 0) count *= (size[a] + tile[a] - 1) / tile[a];
    if (tile[a] < 0) count *= size[a] < threads ? size[a] : threads;
  }
  return count;
}
template <std::size_t D>
std::int64_t count_tiles(const std::int64_t (&size)[D], const std::int64_t (&tile)[D],
                         std::int64_t threads) {
  return count_tiles(size, tile, D, threads);
}

/// A whole number of at least 0 that fits; else -1.
inline std::int64_t threshold_value(const std::string& text) {
  if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  std::uint64_t value = 0;
  for (const char digit : text) value = 10 * value + static_cast<std::uint64_t>(digit - '0');
  return value > static_cast<std::uint64_t>(INT64_MAX) ? -1 : static_cast<std::int64_t>(value);
}

inline std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// A file of `name=value` lines, with blanks or without. Throws std::runtime_error that names the
/// file and the line.
inline Tuning read_tuning(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("can't read `" + path + "`");
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
      fail("`" + name + "` needs a whole number from 0 to 9223372036854775807, not `" +
           number_text + "`");
    for (const auto& [known, other] : tuning)
      if (known == name) fail("`" + name + "` has a value already");
    tuning.emplace_back(std::move(name), value);
  }
  if (!file.eof()) throw std::runtime_error("can't read `" + path + "` to its end");
  return tuning;
}

/// Sets all of them, or none: throws std::invalid_argument where there is no such threshold, or a
/// value is negative.
template <std::size_t N>
void set_thresholds(Threshold (&thresholds)[N], const Tuning& tuning) {
  const auto find = [&](const std::string& name) -> Threshold* {
    for (Threshold& threshold : thresholds)
      if (name == threshold.name) return &threshold;
    return nullptr;
  };
  for (const auto& [name, value] : tuning) {
    if (find(name) == nullptr) throw std::invalid_argument("no threshold `" + name + "`");
    if (value < 0) throw std::invalid_argument("the threshold `" + name + "` is at least 0");
  }
  for (const auto& [name, value] : tuning) find(name)->value = value;
}

/// `Compared NAME <= VALUE.`, a line for each guard, reached or not.
template <std::size_t N>
std::string comparisons(const Threshold (&thresholds)[N]) {
  std::string text;
  for (const Threshold& threshold : thresholds)
    text += std::string("Compared ") + threshold.name + " <= " + std::to_string(threshold.measure) +
            ".\n";
  return text;
}

}  // namespace paraiso_support
