#include "paraiso/plan/schedule/kernel_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "paraiso/base/axis_name.hpp"

namespace paraiso::plan {

namespace {

using Options = KernelOptions;

std::vector<Allele> numbers(std::initializer_list<std::int64_t> values) {
  std::vector<Allele> alleles;
  for (const std::int64_t value : values) alleles.push_back({std::to_string(value), value});
  return alleles;
}

/// The outermost axis is divided among the threads, unless told otherwise.
std::vector<Allele> tile_lengths(bool outermost) {
  std::vector<Allele> alleles{{"all", kWholeAxis}, {"threads", kPerThread}};
  if (outermost) std::swap(alleles[0], alleles[1]);
  std::ranges::move(numbers({1, 4, 8, 16, 32, 64, 256, 1024}), std::back_inserter(alleles));
  return alleles;
}

std::vector<Allele> axes_to_sweep(int dimension) {
  std::vector<Allele> alleles;
  for (int axis = dimension - 1; axis > 0; --axis) alleles.push_back({axis_name(axis), axis});
  return alleles;
}

}  // namespace

std::vector<OptionGene> kernel_options(int dimension) {
  std::vector<OptionGene> table = {
      {"grouping",
       "may groups write several arrays",
       {{kJoined, false}, {"apart", true}},
       &set_option<&Options::apart>},
      {"divides",
       "divisions: in the loops that read them, or in one loop before",
       {{"late", false}, {"together", true}},
       &set_option<&Options::gather_divides>},
      {"vectors", "machine vectors that a loop computes at a time", numbers({1, 2, 4}),
       &set_option<&Options::vectors>},
      {"streaming",
       "streaming stores, if the kernel's arrays exceed the caches",
       {{"off", false}, {"large", true}},
       &set_option<&Options::streaming>},
      {"prefetch",
       "loops prefetch later rows",
       {{"off", false}, {"row", true}},
       &set_option<&Options::prefetch>},
  };
  for (int axis = 0; axis < dimension; ++axis)
    table.push_back({fmt::format("tile_{}", axis_name(axis)), "cells of a tile along this axis",
                     tile_lengths(axis == dimension - 1), &set_option<&Options::tile>, axis});
  if (dimension == 1) return table;
  table.push_back({"jam", "unroll-and-jam: rows that a loop computes at a time", numbers({1, 2, 4}),
                   &set_option<&Options::jam>});
  table.push_back({"form",
                   "tiles recompute what they share, or shrink and then fill the gaps",
                   {{"overlapped", false}, {"split", true}},
                   &set_option<&Options::split>});
  if (dimension > 2)
    table.push_back({"sweep", "the axis that is swept outermost", axes_to_sweep(dimension),
                     &set_option<&Options::sweep>});
  return table;
}

const std::string& OptionGene::allele(std::int64_t value) const {
  const auto found = std::ranges::find(alleles, value, &Allele::value);
  if (found != alleles.end()) return found->name;
  throw std::logic_error(fmt::format("gene `{}` has no allele for {}", name, value));
}

KernelOptions read_options(const om::Kernel& kernel, const Schedule& schedule) {
  const int dimension = kernel.graph.dimension();
  KernelOptions options;
  options.tile.resize(dimension);
  for (int axis = dimension - 1; axis > 0; --axis) options.sweep.push_back(axis);
  for (const OptionGene& gene : kernel_options(dimension)) {
    const auto chosen = schedule.choices.find(kernel.name + "/" + gene.name);
    const Allele* allele = &gene.alleles.front();
    for (const Allele& other : gene.alleles)
      if (chosen != schedule.choices.end() && chosen->second == other.name) allele = &other;
    gene.set(options, gene.axis, allele->value);
  }
  return options;
}

}  // namespace paraiso::plan
