// device_parts: what only a device has of a plan: the blocks of threads that a group runs in, and
// where values lie that a block keeps. Made after the neutral plan (device/device_plan.hpp).
// Gives: KeptValue, DeviceGroup. Needs: device_options, footprint.
#pragma once

#include "paraiso/passes/analysis/footprint.hpp"
#include "paraiso/plan/device_options.hpp"

namespace paraiso::plan {

/// Where a buffer's values lie: those of a block's columns in shared memory, or in registers of the
/// thread whose column they belong to, or in both.
struct KeptValue {
  bool shared = false;
  int planes = 1;  // kept at a time: in shared memory if there, else in registers
  int own = 0;     // of those in shared memory, planes that a thread has in registers as well
  [[nodiscard]] int in_registers() const { return shared ? own : planes; }
};

/// Each thread of a block has one column of cells along the sweep, or one cell where there is none.
/// The block's tile is surrounded by columns that other blocks make, too.
struct DeviceGroup : DeviceOptions {
  bool on_chip = false;         // values are kept; otherwise a thread makes cell after cell
  int reduction_bytes = 0;      // of shared memory, to reduce what the block makes
  passes::Extent rim;           // the columns around the tile
  std::vector<KeptValue> kept;  // as Group::buffers
  std::vector<bool> waits;      // as Group::stages: before it, for all threads of the block
};

}  // namespace paraiso::plan
