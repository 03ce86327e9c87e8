#include "paraiso/plan/schedule/cpu_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/axis_name.hpp"

namespace paraiso::plan {

namespace {

/// The outermost axis is divided among the threads, unless told otherwise.
std::vector<Allele> tile_lengths(bool outermost) {
  std::vector<Allele> alleles{{"all", kWholeAxis}, {"threads", kPerThread}};
  if (outermost) std::swap(alleles[0], alleles[1]);
  std::ranges::move(numbers({1, 4, 8, 16, 32, 64, 256, 1024}), std::back_inserter(alleles));
  return alleles;
}

}  // namespace

std::vector<OptionRow<CpuOptions>> CpuOptions::table(int dimension) {
  std::vector<OptionRow<CpuOptions>> table = {
      {{"vectors", "machine vectors that a loop computes at a time", numbers({1, 2, 4})},
       &set_option<&CpuOptions::vectors>},
      {{"streaming",
        "streaming stores, if the kernel's arrays exceed the caches",
        {{"off", false}, {"large", true}}},
       &set_option<&CpuOptions::streaming>},
      {{"prefetch", "loops prefetch later rows", {{"off", false}, {"row", true}}},
       &set_option<&CpuOptions::prefetch>},
  };
  for (int axis = 0; axis < dimension; ++axis)
    table.push_back({{fmt::format("tile_{}", axis_name(axis)), "cells of a tile along this axis",
                      tile_lengths(axis == dimension - 1), axis},
                     &set_option<&CpuOptions::tile>});
  if (dimension > 1)
    table.push_back(
        {{"jam", "unroll-and-jam: rows that a loop computes at a time", numbers({1, 2, 4})},
         &set_option<&CpuOptions::jam>});
  return table;
}

CpuOptions CpuOptions::start(int dimension) {
  CpuOptions options;
  options.tile.resize(static_cast<std::size_t>(dimension));
  return options;
}

std::vector<OptionGene> cpu_options(int dimension) {
  std::vector<OptionGene> genes;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) genes.push_back(row);  // without the field
  };
  add(grouping_options());
  add(CpuOptions::table(dimension));
  add(form_options(dimension));
  return genes;
}

}  // namespace paraiso::plan
