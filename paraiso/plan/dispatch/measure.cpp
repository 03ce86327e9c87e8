#include "paraiso/plan/dispatch/measure.hpp"

#include "paraiso/support/thresholds.hpp"

namespace paraiso::plan {
namespace {

enum class Counted : std::uint8_t { cells, tiles, bytes, live_bytes };

constexpr int kAll = 0, kAllButLast = -1;  // axes

struct MeasureRow {
  Measure measure;
  const char* name;
  const char* help;
  int axes;  // whose lengths are multiplied, from the first on
  Counted unit;
  bool a_thread = false;  // divided among the threads
};

constexpr MeasureRow kRows[] = {
    {Measure::cells, "cells", "cells of the grid", kAll, Counted::cells},
    {Measure::cells_per_thread, "cells_per_thread", "cells of the grid for each thread", kAll,
     Counted::cells, true},
    {Measure::tiles_per_thread, "tiles_per_thread", "tiles of the version for each thread", kAll,
     Counted::tiles, true},
    {Measure::state_bytes, "state_bytes", "bytes of all fields", kAll, Counted::bytes},
    {Measure::row_bytes, "row_bytes", "bytes of a row in all fields", 1, Counted::bytes},
    {Measure::plane_bytes, "plane_bytes", "bytes of a plane in all fields", 2, Counted::bytes},
    {Measure::live_bytes, "live_bytes", "bytes of rows, or planes, that are read again",
     kAllButLast, Counted::live_bytes},
};

std::int64_t tiles_in(const MeasuredGrid& grid) {
  std::vector<std::int64_t> tile = grid.tile;
  tile.resize(grid.size.size(), 0);
  return paraiso_support::count_tiles(grid.size.data(), tile.data(), grid.size.size(),
                                      grid.threads);
}

std::int64_t bytes_of(Counted unit, const MeasuredGrid& grid) {
  if (unit == Counted::cells || unit == Counted::tiles) return 1;
  return static_cast<std::int64_t>(unit == Counted::bytes ? grid.cell_bytes : grid.live_cell_bytes);
}

const MeasureRow& row_of(Measure measure) { return kRows[static_cast<std::size_t>(measure)]; }

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = [] {
    std::vector<Measure> list;
    for (const MeasureRow& row : kRows) list.push_back(row.measure);
    return list;
  }();
  return all;
}

const char* name(Measure measure) { return row_of(measure).name; }
const char* help(Measure measure) { return row_of(measure).help; }

std::optional<Measure> find_measure(std::string_view name) {
  for (const MeasureRow& row : kRows)
    if (row.name == name) return row.measure;
  return std::nullopt;
}

std::int64_t value_of(Measure measure, const MeasuredGrid& grid) {
  const MeasureRow& row = row_of(measure);
  std::int64_t product = row.unit == Counted::tiles ? tiles_in(grid) : bytes_of(row.unit, grid);
  const auto dimension = static_cast<int>(grid.size.size());
  const int axes = row.axes > 0 ? row.axes : dimension + row.axes;
  for (int a = 0; a < dimension && a < axes && row.unit != Counted::tiles; ++a)
    product *= grid.size[static_cast<std::size_t>(a)];
  return row.a_thread ? product / grid.threads : product;
}

}  // namespace paraiso::plan
