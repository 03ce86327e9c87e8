#include "paraiso/plan/device/cost/device_model.hpp"

#include <algorithm>

#include "paraiso/support/device/graphs.hpp"

namespace paraiso::plan {

namespace {

constexpr double kCopyPart = 0.9;  // of the bytes that memory moves at best

}  // namespace

const DeviceModel& documented_device() {
  // NVIDIA, H100 Tensor Core GPU Architecture (2022), and CUDA C++ Programming Guide, section
  // Compute Capabilities, 9.0. Latencies: Luo et al. (2024), arXiv 2402.13499; that of memory is
  // doubled, as under load. The rates of L2 and of a copy, the start of a block and the launch are
  // round figures of what was measured on one.
  static const DeviceModel device = {
      .name = "the documented H100 SXM",
      .units = 132,
      .threads = 2048,
      .blocks = 32,
      .warp = 32,
      .registers = 65536,
      .thread_registers = 255,
      .shared_bytes = 228 * 1024,
      .block_shared_bytes = 227 * 1024,
      .block_shared_extra = 1024,
      .hertz = 1.755e9,
      .f64_lanes = 64,
      .f32_lanes = 128,
      .other_lanes = 64,
      .all_lanes = 128,
      .l1_bytes = 256 * 1024,
      .l1_cycle_bytes = 128,
      .l2_bytes = 50e6,
      .l2_second_bytes = 5.5e12,
      .memory_second_bytes = 3.0e12,
      .memory_latency = 500e-9,
      .l2_latency = 160e-9,
      .f64_latency = 8,
      .other_latency = 4.5,
      .shared_latency = 30,
      .barrier_latency = 30,
      .block_start = 400e-9,
      .warp_start = 20e-9,
      .launch = 1e-9 * paraiso_support::launch_nanoseconds,
      .graph_launch = 1e-9 * paraiso_support::graph_launch_nanoseconds,
  };
  return device;
}

DeviceModel processor_as_device(const MachineModel& machine) {
  DeviceModel device;
  device.name = machine.text();
  device.serial = true;
  device.units = machine.threads;
  device.launch = 20e-6;
  return device;
}

DeviceModel model_of(const paraiso_support::DeviceReport& report, const MachineModel& machine) {
  if (!report.gpu) return processor_as_device(machine);
  DeviceModel device = documented_device();
  device.name = report.name;
  const paraiso_support::DeviceParts& parts = report.parts;
  const auto set = [](double& value, double said) {
    if (said > 0) value = said;
  };
  set(device.units, parts.units);
  set(device.threads, parts.threads);
  set(device.blocks, parts.blocks);
  set(device.warp, parts.warp);
  set(device.registers, parts.registers);
  set(device.shared_bytes, parts.shared_bytes);
  set(device.block_shared_bytes, parts.block_shared_bytes);
  set(device.hertz, parts.hertz);
  set(device.f32_lanes, parts.f32_lanes);
  set(device.f64_lanes, parts.f32_to_f64 > 0 ? device.f32_lanes / parts.f32_to_f64 : 0);
  set(device.l2_bytes, parts.l2_bytes);
  set(device.memory_second_bytes, kCopyPart * parts.memory_second_bytes);
  return device;
}

const DeviceModel& device_of(const MachineModel& machine) {
  return machine.device ? *machine.device : documented_device();
}

}  // namespace paraiso::plan
