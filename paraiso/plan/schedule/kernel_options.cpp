#include "paraiso/plan/schedule/kernel_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "paraiso/base/axis_name.hpp"

namespace paraiso::plan {

namespace {

std::vector<Allele> axes_to_sweep(int dimension) {
  std::vector<Allele> alleles;
  for (int axis = dimension - 1; axis > 0; --axis) alleles.push_back({axis_name(axis), axis});
  return alleles;
}

}  // namespace

std::vector<Allele> numbers(std::initializer_list<std::int64_t> values) {
  std::vector<Allele> alleles;
  for (const std::int64_t value : values) alleles.push_back({std::to_string(value), value});
  return alleles;
}

std::vector<OptionRow<KernelOptions>> grouping_options() {
  return {
      {{"grouping", "may groups write several arrays", {{kJoined, false}, {"apart", true}}},
       &set_option<&KernelOptions::apart>},
      {{"divides",
        "divisions: in the loops that read them, or in one loop before",
        {{"late", false}, {"together", true}}},
       &set_option<&KernelOptions::gather_divisions>},
  };
}

std::vector<OptionRow<KernelOptions>> range_options() {
  return {
      {{"ranges",
        "are arrays made on just the cells that are needed, or all of a level on common ones, in "
        "one group",
        {{"exact", false}, {"common", true}}},
       &set_option<&KernelOptions::common>},
  };
}

std::vector<OptionRow<KernelOptions>> form_options(int dimension) {
  if (dimension == 1) return {};
  std::vector<OptionRow<KernelOptions>> table = {
      {{"form",
        "tiles recompute what they share, or shrink and then fill the gaps",
        {{"overlapped", false}, {"split", true}}},
       &set_option<&KernelOptions::split>},
  };
  if (dimension > 2)
    table.push_back({{"sweep", "the axis that is swept outermost", axes_to_sweep(dimension)},
                     &set_option<&KernelOptions::sweep>});
  return table;
}

std::vector<OptionRow<KernelOptions>> KernelOptions::table(int dimension) {
  auto table = grouping_options();
  std::ranges::move(range_options(), std::back_inserter(table));
  std::ranges::move(form_options(dimension), std::back_inserter(table));
  return table;
}

KernelOptions KernelOptions::start(int dimension) {
  KernelOptions options;
  for (int axis = dimension - 1; axis > 0; --axis) options.sweep.push_back(axis);
  return options;
}

const std::string& OptionGene::allele(std::int64_t value) const {
  const auto found = std::ranges::find(alleles, value, &Allele::value);
  if (found != alleles.end()) return found->name;
  throw std::logic_error(fmt::format("gene `{}` has no allele for {}", name, value));
}

std::int64_t OptionGene::value(const om::Kernel& kernel, const Schedule& schedule) const {
  const auto chosen = schedule.choices.find(kernel.name + "/" + name);
  if (chosen == schedule.choices.end()) return alleles.front().value;
  const auto known = std::ranges::find(alleles, chosen->second, &Allele::name);
  return known == alleles.end() ? alleles.front().value : known->value;
}

}  // namespace paraiso::plan
