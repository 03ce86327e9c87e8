// DeviceModel: what the cost model knows about a device, as one plain value.
// Gives: DeviceModel, documented_device, processor_as_device, model_of, device_of. Needs:
// machine_model, report.
//
// A device is asked for these numbers where it answers; what it does not say is taken from the
// documented one. No name of a card decides anything.
#pragma once

#include <string>

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/support/device/report.hpp"

namespace paraiso::plan {

/// Of a graphics card. `cycle`: of a multiprocessor; `thread`: what one of its threads does.
struct DeviceModel {
  std::string name;  // for people
  // A processor that runs the threads of a block one after the other: of all that follows it has
  // `units` and `launch`; its speed is the machine's.
  bool serial = false;

  double units = 0;    // multiprocessors, or threads of the processor
  double threads = 0;  // that a multiprocessor holds at a time
  double blocks = 0;
  double warp = 0;                // threads that do the same at the same time
  double registers = 0;           // of 4 bytes, of a multiprocessor
  double thread_registers = 0;    // that one thread may have
  double shared_bytes = 0;        // of a multiprocessor
  double block_shared_bytes = 0;  // that one block may have
  double block_shared_extra = 0;  // that the system takes besides for each block

  double hertz = 0;
  // Threads that do one instruction in a cycle: of f64 and f32 arithmetic, of all else, and of any
  // kind together.
  double f64_lanes = 0, f32_lanes = 0, other_lanes = 0, all_lanes = 0;
  double l1_bytes = 0;        // cache and shared memory of a multiprocessor together
  double l1_cycle_bytes = 0;  // moved in a cycle between them and registers
  double l2_bytes = 0;
  double l2_second_bytes = 0;
  double memory_second_bytes = 0;  // of a copy, read and written

  // Seconds until a thread has what it asked for.
  double memory_latency = 0, l2_latency = 0;
  // Cycles until a result can be used.
  double f64_latency = 0, other_latency = 0, shared_latency = 0, barrier_latency = 0;

  // Seconds until a block's first thread runs where another one ends, and for each of its warps.
  double block_start = 0, warp_start = 0;

  double launch = 0;        // seconds from one kernel to the next
  double graph_launch = 0;  // the same within a graph; 0: there are none
};

/// An H100 SXM with 80 GB, as published, its memory at the rate that copies reach: plans are made
/// for it where there is no device.
[[nodiscard]] const DeviceModel& documented_device();

/// The machine's processor, for a driver that makes a device of it.
[[nodiscard]] DeviceModel processor_as_device(const MachineModel& machine);

/// Of a device by what it says of itself; one that is no graphics card is the machine's processor.
[[nodiscard]] DeviceModel model_of(const paraiso_support::DeviceReport& report,
                                   const MachineModel& machine);

/// The machine's device, or the documented one.
[[nodiscard]] const DeviceModel& device_of(const MachineModel& machine);

}  // namespace paraiso::plan
