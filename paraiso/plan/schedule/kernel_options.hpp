// kernel_options: what is chosen for a kernel as a whole, as values, and the genes that choose
// them. Gives: Allele, OptionGene, OptionTable, OptionRow, KernelOptions, grouping_options,
// range_options, form_options, read_options, set_option, find_option, choice, numbers. Needs:
// schedule.
//
// KernelOptions are for any kind of machine; each kind has more, as a struct of its own with a
// table (for a processor: cpu_options.hpp), and a table of all its genes.
#pragma once

#include <cstdint>

#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

struct Allele {
  std::string name;
  std::int64_t value;  // of the field
};

/// The alleles that are numbers, named by themselves.
[[nodiscard]] std::vector<Allele> numbers(std::initializer_list<std::int64_t> values);

/// A choice for one kernel as a whole.
struct OptionGene {
  std::string name;  // `tile_y`
  std::string help;
  std::vector<Allele> alleles;  // the first is the default
  int axis = 0;

  /// What a schedule calls a value. Throws std::logic_error where no allele has it.
  [[nodiscard]] const std::string& allele(std::int64_t value) const;
  /// What a schedule chooses for a kernel; an allele that is unknown is the default.
  [[nodiscard]] std::int64_t value(const om::Kernel& kernel, const Schedule& schedule) const;
};

/// The options that a kind of machine has, in the order of their genes, for kernels of so many
/// axes: a kernel of fewer axes has fewer of them.
using OptionTable = std::vector<OptionGene> (*)(int dimension);

/// A gene, and the field of Options that it sets.
template <class Options>
struct OptionRow : OptionGene {
  void (*set)(Options& options, int axis, std::int64_t value) = nullptr;
};

/// What any kind of machine chooses from. A kind whose table lacks a gene has its default.
struct KernelOptions {
  bool apart = false;             // no group has more than one array
  bool common = false;            // arrays of one level are made on the same cells, in one group
  bool gather_divisions = false;  // divisions share a loop, ahead of the loops that read them
  bool split = false;             // groups are split where possible
  std::vector<int> sweep;         // axes along which loops lag, outermost first

  /// Before anything is chosen.
  [[nodiscard]] static KernelOptions start(int dimension);
  [[nodiscard]] static std::vector<OptionRow<KernelOptions>> table(int dimension);
};

/// The table in parts: what is computed together, on which cells, and how groups are traversed.
[[nodiscard]] std::vector<OptionRow<KernelOptions>> grouping_options();
[[nodiscard]] std::vector<OptionRow<KernelOptions>> range_options();
[[nodiscard]] std::vector<OptionRow<KernelOptions>> form_options(int dimension);

/// The options that a schedule chooses for a kernel.
template <class Options>
[[nodiscard]] Options read_options(const om::Kernel& kernel, const Schedule& schedule) {
  const int dimension = kernel.graph.dimension();
  Options options = Options::start(dimension);
  for (const auto& row : Options::table(dimension))
    row.set(options, row.axis, row.value(kernel, schedule));
  return options;
}

template <auto Field>
struct OptionsOf;
template <class Options, class T, T Options::*Field>
struct OptionsOf<Field> {
  using type = Options;
};

/// Sets a field: the length of a tile along an axis, the axis that is swept outermost, a number, or
/// a truth.
template <auto Field>
void set_option(typename OptionsOf<Field>::type& options, int axis, std::int64_t value) {
  auto& field = options.*Field;
  using T = std::remove_reference_t<decltype(field)>;
  if constexpr (std::is_same_v<T, std::vector<int>>) {
    std::erase(field, static_cast<int>(value));
    field.insert(field.begin(), static_cast<int>(value));
  } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
    field[axis] = value;
  } else {
    field = static_cast<T>(value);
  }
}

/// The gene that sets a field, if kernels of this dimension have it.
template <auto Field>
[[nodiscard]] std::optional<OptionGene> find_option(int dimension, int axis = 0) {
  for (auto& row : OptionsOf<Field>::type::table(dimension))
    if (row.set == &set_option<Field> && row.axis == axis) return std::move(row);
  return std::nullopt;
}

/// What a schedule says where it sets a field: `proceed/form` and `split`.
template <auto Field>
[[nodiscard]] std::pair<std::string, std::string> choice(const om::Kernel& kernel,
                                                         std::int64_t value) {
  const OptionGene gene = find_option<Field>(kernel.graph.dimension()).value();
  return {kernel.name + "/" + gene.name, gene.allele(value)};
}

inline constexpr const char* kJoined = "joined";  // of `grouping`

}  // namespace paraiso::plan
