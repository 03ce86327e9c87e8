// The model of a device, on one whose numbers are easy to reckon with.
#include "paraiso/plan/device/cost/device_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/device/cost/block_work.hpp"
#include "paraiso/plan/device/cost/launches.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "paraiso/plan/device/search/device_search.hpp"
#include "paraiso/support/device/graphs.hpp"
#include "tests/plan/plan_program.hpp"

namespace paraiso::plan {
namespace {

const std::string kCopy = "%0 = load f\nstore g %0\n";
const std::string kDivide = "%0 = load f\n%1 = load g\n%2 = div %0 %1\nstore g %2\n";

/// Ten multiprocessors, one warp's instruction a cycle, a cycle a nanosecond, a byte of memory a
/// picosecond.
DeviceModel simple_device() {
  DeviceModel device;
  device.name = "a simple device";
  device.units = 10;
  device.threads = 1024;
  device.blocks = 16;
  device.warp = 32;
  device.registers = 1e6;
  device.thread_registers = 255;
  device.shared_bytes = device.block_shared_bytes = 64 * 1024;
  device.hertz = 1e9;
  device.f64_lanes = device.f32_lanes = device.other_lanes = device.all_lanes = 32;
  device.l1_bytes = 128 * 1024;
  device.l1_cycle_bytes = 128;
  device.l2_bytes = 0;
  device.l2_second_bytes = 4e12;
  device.memory_second_bytes = 1e12;
  device.memory_latency = 1e-6;
  device.l2_latency = 0.5e-6;
  device.launch = 1e-6;
  return device;
}

Prediction on_device(const om::Machine& machine, std::vector<std::int64_t> size,
                     const DeviceModel& device = simple_device(), const Schedule& schedule = {}) {
  const Plan plan = device_plan(machine, schedule);
  Setting setting{std::move(size)};
  setting.machine.device = std::make_shared<DeviceModel>(device);
  return predict_on_device(plan.machine, plan.kernels[0], setting);
}

double part(const Prediction& prediction, DeviceLimit limit) {
  return prediction.parts[static_cast<std::size_t>(limit)];
}

TEST(DeviceCost, OfACopyAreItsBytesAndInstructions) {
  const Prediction copy = on_device(program(kCopy, 2), {640, 64});
  const double cells = 640 * 64;
  // 160 blocks of 256 threads; four at a time on each multiprocessor: four waves without a rest.
  EXPECT_NEAR(part(copy, DeviceLimit::memory), 16e-3, 1e-9);
  EXPECT_NEAR(part(copy, DeviceLimit::l2), 4e-3, 1e-9);
  // Two accesses of 1.5 instructions, ten of the frame, by 16 blocks of 8 warps one after the
  // other.
  EXPECT_NEAR(part(copy, DeviceLimit::issue), 16 * 8 * 13 / cells, 1e-9);
  EXPECT_NEAR(part(copy, DeviceLimit::l1), 16 * 256 * 16 / 128.0 / cells, 1e-9);
  // A microsecond for the first sixteen loads, and a part of it for each; four blocks that fill
  // each other's gaps.
  const double waits = 4 * 1000 * (1 + 1 / 16.0) * (1 + 0.2 / 4);
  EXPECT_NEAR(part(copy, DeviceLimit::latency), waits / cells, 1e-9);
  EXPECT_EQ(part(copy, DeviceLimit::tail), 0);
  EXPECT_NEAR(part(copy, DeviceLimit::launch), 1000 / cells, 1e-9);
  // What goes on at the same time hinders each other.
  double cubes = 0;
  for (const auto limit : {DeviceLimit::memory, DeviceLimit::l2, DeviceLimit::issue,
                           DeviceLimit::l1, DeviceLimit::latency})
    cubes += std::pow(part(copy, limit), 3);
  EXPECT_NEAR(copy.nanoseconds, std::cbrt(cubes) + 1000 / cells, 1e-9);
  EXPECT_EQ(copy.bound(), "waiting");
  EXPECT_EQ(copy.groups[0].block->occupancy, 1);
}

TEST(DeviceCost, ALastWaveTakesAsLongAsOneBlock) {
  // 161 blocks: the last one alone takes its microsecond, less its share of the time.
  DeviceModel device = simple_device();
  device.memory_second_bytes = 1e11;  // which bounds
  const Prediction copy =
      on_device(program(kCopy, 1), {161 * 256}, device, with({{"proceed/block_x", "256"}}));
  const double cells = 161 * 256, waves = 161 / 40.0, alone = 1000 * (1 + 1 / 16.0);
  const double together =
      (copy.nanoseconds - part(copy, DeviceLimit::tail) - part(copy, DeviceLimit::launch)) * cells;
  EXPECT_GT(together, cells * 16 / 100);  // the memory's part
  EXPECT_NEAR(part(copy, DeviceLimit::tail), (alone - 0.025 * together / waves) / cells, 1e-9);
  EXPECT_EQ(copy.bound(), "memory");
}

TEST(DeviceCost, DividesTakeTwelveInstructionsAndF64ItsOwnLanes) {
  DeviceModel device = simple_device();
  device.f64_lanes = 1;  // which bounds
  const Prediction divide = on_device(program(kDivide, 2), {640, 64}, device);
  EXPECT_NEAR(part(divide, DeviceLimit::issue), 16 * 8 * 12 * 32 / (640 * 64.0), 1e-9);
  EXPECT_EQ(divide.bound(), "instructions");
}

TEST(DeviceCost, MoreTakesLonger) {
  const om::Machine machine = two_fluxes();
  double before = 0;
  for (const std::int64_t length : {64, 128, 512, 2048}) {
    const double time =
        on_device(machine, {length, length}).nanoseconds * static_cast<double>(length * length);
    EXPECT_GT(time, before);
    before = time;
  }
  before = INFINITY;
  for (const double rate : {1e10, 1e11, 2e11, 1e12}) {
    DeviceModel device = simple_device();
    device.memory_second_bytes = rate;
    const double time = on_device(machine, {2048, 2048}, device).nanoseconds;
    EXPECT_LE(time, before);
    before = time;
  }
}

TEST(DeviceCost, RegistersAndSharedMemoryBoundThreads) {
  double before = 0;
  for (const double registers : {7e3, 13e3, 19e3, 25e3}) {
    DeviceModel device = simple_device();
    device.registers = registers;
    const Prediction fluxes = on_device(two_fluxes(), {2048, 2048}, device);
    EXPECT_GT(fluxes.groups[0].block->occupancy, before);
    before = fluxes.groups[0].block->occupancy;
  }
  DeviceModel device = simple_device();
  const Schedule kept = with({{"proceed/flux_x.storage", "rolling"}});
  device.shared_bytes = 13 * 1024;  // one block's: two planes of a line of 256 f64 each
  const Prediction narrow = on_device(two_fluxes(), {2048, 2048}, device, kept);
  device.registers = 5e3;
  const Prediction few = on_device(two_fluxes(), {2048, 2048}, device, kept);
  EXPECT_GT(narrow.groups[0].block->shared_bytes, 0);
  EXPECT_LT(narrow.groups[0].block->occupancy, 1);
  EXPECT_EQ(narrow.groups[0].block->spilled, 0);
  EXPECT_GT(few.groups[0].block->spilled, 0);
  EXPECT_GT(few.nanoseconds, narrow.nanoseconds);
}

/// A stencil's planes that no cache holds are read as often as they are asked for, unless blocks
/// march through them.
TEST(DeviceCost, PlanesAreReadAgainWhereL2IsTooSmall) {
  const om::Machine machine = program(
      "%0 = load f\n%1 = shift %0 (0, 0, 1)\n%2 = shift %0 (0, 0, -1)\n%3 = add %1 %2\n"
      "%4 = add %0 %3\nstore g %4\n",
      3);
  DeviceModel device = simple_device();
  EXPECT_NEAR(part(on_device(machine, {256, 256, 256}, device), DeviceLimit::memory), 32e-3, 1e-9);
  device.l2_bytes = 50e6;
  EXPECT_NEAR(part(on_device(machine, {256, 256, 256}, device), DeviceLimit::memory), 16e-3, 1e-9);
  device.l2_bytes = 0;
  const Schedule march = with({{"proceed/march", "on"}});
  const double read = 8 * 258 / 256.0;
  EXPECT_NEAR(part(on_device(machine, {256, 256, 256}, device, march), DeviceLimit::memory),
              (read + 8) * 1e-3, 1e-9);
}

TEST(DeviceCost, AProcessorGainsNothingByKeepingValues) {
  const DeviceModel processor = processor_as_device(documented_machine());
  const Schedule kept = with({{"proceed/flux_x.storage", "rolling"}});
  const Schedule stored = with({{"proceed/flux_x.storage", "array"}});
  EXPECT_GT(on_device(two_fluxes(), {512, 512}, processor, kept).nanoseconds,
            on_device(two_fluxes(), {512, 512}, processor, stored).nanoseconds);
}

TEST(DeviceCost, LaunchesOfAGraphAreCheaper) {
  DeviceModel device = simple_device();
  const om::Machine copy = program(kCopy, 2);
  const auto launch = [&](std::vector<std::int64_t> size) {
    const Prediction now = on_device(copy, size, device);
    return std::pair(now.graph, std::round(part(now, DeviceLimit::launch) *
                                           static_cast<double>(size[0] * size[1])));
  };
  EXPECT_EQ(launch({64, 64}), std::pair(false, 1000.0));
  device.graph_launch = 0.25e-6;
  EXPECT_EQ(launch({64, 64}), std::pair(true, 250.0));
  EXPECT_EQ(launch({8192, 8192}), std::pair(false, 1000.0));
}

/// 16 bytes a cell at 3e12 a second; one launch.
TEST(DeviceCost, GraphsAreWhereLaunchesDominate) {
  const Plan plan = device_plan(program(kCopy, 2), {});
  const Launches launches = launches_of(plan.kernels[0]);
  EXPECT_EQ(launches.count, 1);
  EXPECT_NEAR(launches.cell_nanoseconds, 16.0 / 3000, 1e-12);
  const double most = 2 * paraiso_support::launch_nanoseconds;
  EXPECT_TRUE(becomes_graph(launches, most / launches.cell_nanoseconds - 1));
  EXPECT_FALSE(becomes_graph(launches, most / launches.cell_nanoseconds + 1));
}

TEST(DeviceCost, DevicesSayWhatTheyAre) {
  paraiso_support::DeviceReport report;
  report.name = "card";
  EXPECT_TRUE(model_of(report, documented_machine()).serial);
  report.gpu = true;
  report.parts.units = 80;
  report.parts.memory_second_bytes = 1e12;
  report.parts.f32_lanes = 64;
  report.parts.f32_to_f64 = 32;
  const DeviceModel model = model_of(report, documented_machine());
  EXPECT_FALSE(model.serial);
  EXPECT_EQ(model.name, "card");
  EXPECT_EQ(model.units, 80);
  EXPECT_EQ(model.f64_lanes, 2);
  EXPECT_EQ(model.memory_second_bytes, 0.9e12);
  EXPECT_EQ(model.l2_bytes, documented_device().l2_bytes);  // of which it says nothing
}

}  // namespace
}  // namespace paraiso::plan
