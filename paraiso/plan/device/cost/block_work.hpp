// block_work: what a block of threads does in one launch of a group.
// Gives: LaunchShape, launch_shape, BlockWork, block_work, registers_of. Needs: plan, on_chip,
// device_model.
#pragma once

#include "paraiso/plan/device/cost/device_model.hpp"
#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The blocks of a launch over a grid.
struct LaunchShape {
  ThreadBlock block;
  int sweep = -1;             // the axis that a block sweeps; -1: none
  std::vector<double> cells;  // that the group makes, along each axis
  double all_cells = 1;
  double blocks = 1;
  double planes = 1;  // that a block makes
  bool fits = true;   // no more blocks along an axis than a launch may have
  double own = 1;     // cells that a thread makes at once, of which none waits for another
  double filled = 1;  // the part of all blocks' columns that lies on the grid

  /// The planes at which a loop of the group runs in a block.
  [[nodiscard]] double planes_of(const Stage& stage) const;
  /// The columns that it makes there, along one of the block's axes.
  [[nodiscard]] double columns_of(const Stage& stage, std::size_t along) const;
};
[[nodiscard]] LaunchShape launch_shape(const Group& group, const std::vector<std::int64_t>& size);

struct BlockWork {
  double blocks = 0;     // of the launch
  double threads = 0;    // of a block
  double registers = 0;  // of a thread, of 4 bytes: an estimate
  double spilled = 0;    // that it needs besides, and so lie in memory
  double shared_bytes = 0;
  double residents = 0;  // blocks that a multiprocessor holds at a time; 0: it can't hold one
  // The rest is of one block.
  double issue_cycles = 0;  // of a multiprocessor that does nothing else
  double l1_bytes = 0;      // between registers and L1 or shared memory
  double l2_bytes = 0;      // between L1 and L2
  double seconds_alone = 0;
  double memory_bytes = 0;  // of the whole launch, between L2 and memory
};

/// For a group whose values have places, on a grid of that size.
[[nodiscard]] BlockWork block_work(const KernelPlan& kernel, const Group& group,
                                   const std::vector<std::int64_t>& size,
                                   const DeviceModel& device);

/// What a compiler takes for a thread of the group: an estimate.
[[nodiscard]] double registers_of(const om::Kernel& kernel, const Group& group);

}  // namespace paraiso::plan
