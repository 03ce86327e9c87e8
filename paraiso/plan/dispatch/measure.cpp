#include "paraiso/plan/dispatch/measure.hpp"

namespace paraiso::plan {
namespace {

struct MeasureRow {
  Measure measure;
  const char* name;
  const char* help;
  int axes;       // whose lengths are multiplied, from the first on; 0: all
  bool in_bytes;  // times the bytes of a cell
  bool a_thread;  // divided among the threads
};

constexpr MeasureRow kRows[] = {
    {Measure::cells, "cells", "cells of the grid", 0, false, false},
    {Measure::cells_per_thread, "cells_per_thread", "cells of the grid for each thread", 0, false,
     true},
    {Measure::state_bytes, "state_bytes", "bytes of all fields", 0, true, false},
    {Measure::row_bytes, "row_bytes", "bytes of a row in all fields", 1, true, false},
    {Measure::plane_bytes, "plane_bytes", "bytes of a plane in all fields", 2, true, false},
};

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
  std::int64_t product = row.in_bytes ? static_cast<std::int64_t>(grid.cell_bytes) : 1;
  for (std::size_t a = 0; a < grid.size.size(); ++a)
    if (row.axes == 0 || a < static_cast<std::size_t>(row.axes)) product *= grid.size[a];
  return row.a_thread ? product / grid.threads : product;
}

}  // namespace paraiso::plan
