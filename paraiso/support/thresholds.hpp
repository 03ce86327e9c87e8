// Thresholds: which version of a kernel runs on a solver's grid, what its threads share, and what
// is stored past the caches. Gives: Tuning, read_tuning, Threshold, first_met, threshold_of,
// longest_work, count_tiles, set_thresholds, comparisons in paraiso_support. Needs: nothing.
#pragma once

#include <cstddef>
#include <cstdint>
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
  bool fits = true;  // whether a device can run what it is for
};

/// The number of the first of `count` guards that holds, counted from 1; 0: none. Those of what
/// does not fit are passed over; where the base does not, the last of the others is in its place.
inline int first_met(const Threshold* thresholds, int count, bool base_fits = true) {
  int last = 0;
  for (int i = 0; i < count; ++i) {
    if (!thresholds[i].fits) continue;
    last = i + 1;
    if (thresholds[i].value <= thresholds[i].measure) return last;
  }
  return base_fits ? 0 : last;
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
std::int64_t threshold_value(const std::string& text);

/// A file of `name=value` lines, with blanks or without. Throws std::runtime_error that names the
/// file and the line.
Tuning read_tuning(const std::string& path);

/// Sets all of them, or none: throws std::invalid_argument where there is no such threshold, or a
/// value is negative.
void set_thresholds(Threshold* thresholds, std::size_t count, const Tuning& tuning);
template <std::size_t N>
void set_thresholds(Threshold (&thresholds)[N], const Tuning& tuning) {
  set_thresholds(thresholds, N, tuning);
}

/// `Compared NAME <= VALUE.`, a line for each guard, reached or not.
std::string comparisons(const Threshold* thresholds, std::size_t count);
template <std::size_t N>
std::string comparisons(const Threshold (&thresholds)[N]) {
  return comparisons(thresholds, N);
}

}  // namespace paraiso_support
