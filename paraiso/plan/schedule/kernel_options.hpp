// kernel_options: how the loops of a kernel run, as values, and the genes that choose them.
// Gives: LoopOptions, KernelOptions, Allele, OptionGene, kernel_options, read_options, set_option,
// find_option, choice. Needs: schedule.
//
// To add a gene: its field in LoopOptions or KernelOptions, its row in kernel_options.cpp, its use
// where plan or codegen reads the field. Where a group can't have it, choices/group_options.cpp
// settles that; that it is tried by default, search/default_schedule.cpp says.
#pragma once

#include <cstdint>

#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

inline constexpr std::int64_t kWholeAxis = 0;   // one tile
inline constexpr std::int64_t kPerThread = -1;  // one tile a thread

/// How the loops of a group run.
struct LoopOptions {
  std::vector<std::int64_t> tile;  // cells along each axis; kWholeAxis or kPerThread
  int vectors = 1;                 // machine vectors that a loop computes at a time
  int jam = 1;                     // rows that it computes at a time (unroll-and-jam, jam.hpp)
  bool streaming = false;          // streaming stores, if the kernel's arrays exceed the caches
  bool prefetch = false;           // loops prefetch later rows (coming_rows.hpp)
};

/// What is chosen for a kernel as a whole; its groups run so as far as each can.
struct KernelOptions : LoopOptions {
  bool apart = false;           // no group has more than one array
  bool gather_divides = false;  // divisions share a loop, ahead of the loops that read them
  bool split = false;           // groups are split where possible
  std::vector<int> sweep;       // axes along which loops lag, outermost first
};

struct Allele {
  std::string name;
  std::int64_t value;  // of the field
};

/// A choice for one kernel as a whole: which field it sets, and to what.
struct OptionGene {
  std::string name;  // `tile_y`
  std::string help;
  std::vector<Allele> alleles;  // the first is the default
  void (*set)(KernelOptions& options, int axis, std::int64_t value);
  int axis = 0;

  /// What a schedule calls a value. Throws std::logic_error where no allele has it.
  [[nodiscard]] const std::string& allele(std::int64_t value) const;
};

/// The table. A kernel of fewer axes has fewer choices.
[[nodiscard]] std::vector<OptionGene> kernel_options(int dimension);

/// The options that a schedule chooses for a kernel; an allele that is unknown is the default.
[[nodiscard]] KernelOptions read_options(const om::Kernel& kernel, const Schedule& schedule);

/// Sets a field: the length of a tile along an axis, the axis that is swept outermost, a number, or
/// a truth.
template <auto Field>
void set_option(KernelOptions& options, int axis, std::int64_t value) {
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
  for (OptionGene& gene : kernel_options(dimension))
    if (gene.set == &set_option<Field> && gene.axis == axis) return std::move(gene);
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
