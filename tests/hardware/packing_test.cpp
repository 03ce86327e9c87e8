// How long messages take to pack, counted by hand.
#include <gtest/gtest.h>

#include "paraiso/hardware/simulate/forecast.hpp"

namespace paraiso::hardware {
namespace {

TEST(Packing, IsSharedByThreadsWhereThereIsEnough) {
  plan::MachineModel machine = plan::documented_machine();
  machine.threads = 8;
  machine.hertz = 2.5e9;
  machine.constants.row_cycles = 25;  // 10 ns
  machine.memory_fetch = 10e9;
  machine.memory_all = 100e9;
  machine.parallel_region = 1e-6;
  // One thread: 1 us and 4.
  EXPECT_DOUBLE_EQ(seconds_of_packing(machine, 100, 40e3, 1), 5e-6);
  // 1 ms and 0.1.
  EXPECT_DOUBLE_EQ(seconds_of_packing(machine, 1e5, 1e6, 1), 1.1e-3 / 8 + 1e-6);
  machine.threads = 16;
  // 1 ms and 4, but memory reads and writes 80 MB,
  EXPECT_DOUBLE_EQ(seconds_of_packing(machine, 1e5, 40e6, 1), 0.8e-3 + 1e-6);
  // and a line for each row.
  EXPECT_DOUBLE_EQ(seconds_of_packing(machine, 1e6, 8e6, 1), 0.72e-3 + 1e-6);
  // Two ranks on the processor.
  EXPECT_DOUBLE_EQ(seconds_of_packing(machine, 1e5, 40e6, 2), 1.6e-3 + 1e-6);
  // More ranks than threads.
  EXPECT_DOUBLE_EQ(seconds_of_packing(machine, 1e5, 40e6, 20), 5e-3);
}

}  // namespace
}  // namespace paraiso::hardware
