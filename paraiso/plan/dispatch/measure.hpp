// Measure: what a threshold is compared with: a product of the sizes of a grid, which grows with
// each of them. Gives: Measure, MeasuredGrid, measures, name, help, find_measure, value_of.
// Needs: nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace paraiso::plan {

enum class Measure : std::uint8_t {
  cells,
  cells_per_thread,
  tiles_per_thread,
  state_bytes,
  row_bytes,
  plane_bytes,
  live_bytes
};

/// What measures are taken of.
struct MeasuredGrid {
  std::vector<std::int64_t> size;  // cells along each axis
  int threads = 1;
  std::size_t cell_bytes = 0;  // of one cell in all fields of the program
  // Of a version: the cells of a tile along each axis (0: all, -1: a part for each thread; an axis
  // that is missing: all), and the bytes that are alive at a cell of a row or a plane.
  std::vector<std::int64_t> tile = {};
  std::size_t live_cell_bytes = 0;
};

/// All of them.
[[nodiscard]] const std::vector<Measure>& measures();
/// "cells", "state_bytes", ...
[[nodiscard]] const char* name(Measure measure);
/// In words, for who reads generated code.
[[nodiscard]] const char* help(Measure measure);
[[nodiscard]] std::optional<Measure> find_measure(std::string_view name);

[[nodiscard]] std::int64_t value_of(Measure measure, const MeasuredGrid& grid);

}  // namespace paraiso::plan
