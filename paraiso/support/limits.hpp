// The thresholds of decisions that generated code makes at run time and the cost model predicts.
// Gives: least_shared, copy_nanoseconds, row_nanoseconds, rows_ahead, kept_bytes in
// paraiso_support. Needs: nothing.
#pragma once

#include <cstdint>

namespace paraiso_support {

/// Nanoseconds. Work that takes one thread less runs on one thread: waking the others and fetching
/// data from their caches would cost as much.
inline constexpr double least_shared = 5000;

/// The time in which one thread copies a cell of a row, and begins a row.
inline constexpr double copy_nanoseconds = 0.25, row_nanoseconds = 8;

/// How many rows ahead a loop prefetches, given the cells in a row and the rows in a tile: memory
/// answers within the time of a few hundred cells.
inline std::int64_t rows_ahead(std::int64_t cells, std::int64_t rows) {
  constexpr std::int64_t cells_ahead = 384;
  const std::int64_t wanted = (cells_ahead + cells - 1) / cells, most = rows / 4;
  const std::int64_t ahead = wanted < most ? wanted : most;
  return ahead < 1 ? 1 : ahead;
}

/// How many bytes a program may expect to find again in a last-level cache of `bytes` (0: not
/// known): other programs use a part of a large one.
inline double kept_bytes(double bytes) {
  const double part = bytes / 5 > 64e6 ? bytes / 5 : 64e6;
  return bytes > 0 && bytes < part ? bytes : part;
}

}  // namespace paraiso_support
