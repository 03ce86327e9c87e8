#include "paraiso/plan/device_options.hpp"

namespace paraiso::plan {

namespace {

/// Of groups that blocks sweep through.
void add_sweeps(std::vector<OptionRow<DeviceOptions>>& table) {
  table.push_back({{"march",
                    "are groups that keep nothing swept, so that planes stay in a cache",
                    {{"off", false}, {"on", true}}},
                   &set_option<&DeviceOptions::march>});
  table.push_back(
      {{"shared", "KiB of shared memory that a block may have", numbers({48, 96, 160, 224})},
       &set_option<&DeviceOptions::shared>});
  table.push_back({{"stage",
                    "does a sweep fetch first: what several threads read, into shared memory, or "
                    "a thread's column, into registers",
                    {{"off", static_cast<int>(Staging::none)},
                     {"on", static_cast<int>(Staging::planes)},
                     {"column", static_cast<int>(Staging::columns)}}},
                   &set_option<&DeviceOptions::stage>});
  table.push_back({{"extra_barrier",
                    "does a block wait after each plane of a sweep: then it needs a plane less of "
                    "shared memory, and its threads stay together",
                    {{"off", false}, {"on", true}}},
                   &set_option<&DeviceOptions::extra_barrier>});
}

}  // namespace

std::vector<OptionRow<DeviceOptions>> DeviceOptions::table(int dimension) {
  std::vector<OptionRow<DeviceOptions>> table = {
      {{"block_x", "threads of a block along x",
        dimension == 1 ? numbers({256, 128, 64, 512}) : numbers({64, 32, 128, 256})},
       &set_option<&DeviceOptions::block_x>},
  };
  table.push_back({{"sums",
                    "what is reduced lies in an array first, or each block reduces what it makes, "
                    "where it can",
                    {{"array", false}, {"fused", true}}},
                   &set_option<&DeviceOptions::fused_sums>});
  table.push_back({{"ghosts",
                    "ghost cells of fields are filled by a launch of their own, or whoever reads "
                    "one finds the cell that it repeats, or whoever stores a cell stores those "
                    "that repeat it",
                    {{"filled", static_cast<int>(GhostCells::filled)},
                     {"found", static_cast<int>(GhostCells::found)},
                     {"stored", static_cast<int>(GhostCells::stored)}}},
                   &set_option<&DeviceOptions::ghosts>});
  std::vector<Allele> residents{{"any", 0}};
  std::ranges::move(numbers({2, 3, 4}), std::back_inserter(residents));
  table.push_back(
      {{"resident", "blocks that a multiprocessor is to hold, so that registers are few",
        std::move(residents)},
       &set_option<&DeviceOptions::resident>});
  table.push_back(
      {{"vector", "cells of a thread along x, loaded and stored at once, where nothing is kept",
        numbers({1, 2, 4})},
       &set_option<&DeviceOptions::vector>});
  if (dimension == 1) return table;
  table.push_back({{"cells", "cells of a thread along the last axis, where nothing is kept",
                    numbers({1, 2, 4})},
                   &set_option<&DeviceOptions::cells>});
  table.push_back({{"block_y", "threads of a block along the next axis", numbers({4, 8, 16, 2, 1})},
                   &set_option<&DeviceOptions::block_y>});
  std::vector<Allele> chunks{{"all", 0}};
  std::ranges::move(numbers({16, 32, 64, 128}), std::back_inserter(chunks));
  table.push_back({{"chunk", "planes of a sweep that a block makes", std::move(chunks)},
                   &set_option<&DeviceOptions::chunk>});
  if (dimension <= kMostAxesOnChip) add_sweeps(table);
  return table;
}

std::vector<OptionGene> device_options(int dimension) {
  std::vector<OptionGene> genes;
  for (const auto& row : grouping_options())
    if (row.set == &set_option<&KernelOptions::apart>) genes.push_back(row);
  for (const auto& row : range_options()) genes.push_back(row);
  for (const auto& row : DeviceOptions::table(dimension)) genes.push_back(row);
  for (const auto& row : form_options(dimension))
    if (row.set == &set_option<&KernelOptions::sweep>) genes.push_back(row);
  return genes;
}

}  // namespace paraiso::plan
