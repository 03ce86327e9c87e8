// device_options: how the loops of a kernel run on a device, as values, and the genes that choose
// them. Gives: DeviceOptions, Staging, GhostCells, kSharedUnasked, device_options.
// Needs: kernel_options.
//
// To add a gene: its field in DeviceOptions, its row in device_options.cpp, its use where plan or
// codegen reads the field.
#pragma once

#include "paraiso/plan/schedule/kernel_options.hpp"

namespace paraiso::plan {

inline constexpr int kMostThreads = 512;  // of a block; any device runs blocks that large
// Two of a block's threads, that of its sweep, and one along which it has one cell.
inline constexpr int kMostAxesOnChip = 4;
inline constexpr std::size_t kSharedUnasked = 48 * 1024;  // bytes of a block that any device gives

/// What a sweep fetches before its loops read it: nothing; what several threads of a block read,
/// into shared memory; what a thread reads at several planes of its own column, into its registers.
enum class Staging : std::uint8_t { none, planes, columns };

/// Where ghost cells of fields come from: a launch fills them; who reads one finds the cell that it
/// repeats; who stores a cell stores those that repeat it.
enum class GhostCells : std::uint8_t { filled, found, stored };

/// What is chosen for a kernel as a whole; its groups run so as far as each can.
struct DeviceOptions {
  int block_x = 64, block_y = 4;  // threads of a block
  int chunk = 0;                  // planes of a sweep that a block makes; 0: all
  bool march = false;             // groups that keep nothing are swept, too
  int shared = 48;                // KiB of shared memory of a block, at most; any device has 48
  Staging stage = Staging::none;  // what is fetched before it is read
  bool extra_barrier = false;     // between the turns of a sweep; rings are a plane shorter
  bool fused_sums = false;  // blocks reduce what they make, where they can; else arrays have it
  GhostCells ghosts = GhostCells::filled;
  int cells = 1;     // that a thread makes one after the other, in groups that keep nothing
  int vector = 1;    // neighbours along x that it makes of each of these, loaded and stored at once
  int resident = 0;  // blocks that a multiprocessor is to hold at a time; 0: the compiler chooses

  /// Before anything is chosen.
  [[nodiscard]] static DeviceOptions start(int) { return {}; }
  [[nodiscard]] static std::vector<OptionRow<DeviceOptions>> table(int dimension);
};

/// The OptionTable of a device: those of KernelOptions that it can choose, and DeviceOptions.
[[nodiscard]] std::vector<OptionGene> device_options(int dimension);

}  // namespace paraiso::plan
