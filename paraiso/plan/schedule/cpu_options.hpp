// cpu_options: how the loops of a kernel run on a processor, as values, and the genes that choose
// them. Gives: CpuOptions, cpu_options. Needs: kernel_options.
//
// To add a gene: its field in CpuOptions (or KernelOptions, if it is for any kind of machine), its
// row in cpu_options.cpp (kernel_options.cpp), its use where plan or codegen reads the field. Where
// a group can't have it, cpu/group_options.cpp settles that; that it is tried by default,
// search/default_schedule.cpp says.
#pragma once

#include "paraiso/plan/schedule/kernel_options.hpp"

namespace paraiso::plan {

inline constexpr std::int64_t kWholeAxis = 0;   // one tile
inline constexpr std::int64_t kPerThread = -1;  // one tile a thread

/// What is chosen for a kernel as a whole; its groups run so as far as each can.
struct CpuOptions {
  std::vector<std::int64_t> tile;  // cells along each axis; kWholeAxis or kPerThread
  int vectors = 1;                 // machine vectors that a loop computes at a time
  int jam = 1;                     // rows that it computes at a time (unroll-and-jam, jam.hpp)
  bool streaming = false;          // streaming stores, if the kernel's arrays exceed the caches
  bool prefetch = false;           // loops prefetch later rows (prefetch_rows.hpp)

  /// Before anything is chosen.
  [[nodiscard]] static CpuOptions start(int dimension);
  [[nodiscard]] static std::vector<OptionRow<CpuOptions>> table(int dimension);
};

/// The OptionTable of a processor: KernelOptions and CpuOptions.
[[nodiscard]] std::vector<OptionGene> cpu_options(int dimension);

}  // namespace paraiso::plan
