// Blocks with more shared memory than a kernel has unless its launch asks for it: the same bits,
// and what is said where the device has less.
#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"
#include "tests/device/sweeps.hpp"

namespace paraiso {
namespace {

std::size_t most_shared(const plan::Plan& plan) {
  std::size_t most = 0;
  for (const plan::KernelPlan& kernel : plan.kernels)
    for (const plan::Group& group : kernel.groups)
      if (group.device.on_chip)
        most = std::max(most, plan::shared_bytes(group, plan.machine.dimension));
  return most;
}

class SharedOfLaunch : public testing::TestWithParam<DeviceBackend> {};

TEST_P(SharedOfLaunch, HasTheSameBits) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const om::Machine program = chain(6);
  const plan::Plan plan = backend.make_plan(program, swept(program, backend, 32, 16));
  EXPECT_GT(most_shared(plan), 48u * 1024);
  const auto card = runtime::chosen_card(backend);
  const double has = card ? card->parts.block_shared_bytes : 0;
  if (has > 0 && has < static_cast<double>(most_shared(plan)))
    GTEST_SKIP() << "SKIP: a block of this device has less shared memory";
  runtime::CompileOptions compiling;
  compiling.optimization = "-O1";
  compiling.cache = PARAISO_BINARY_DIR "/test_cache";
  verify::VerifyOptions options;
  options.problems = {"ramp"};
  options.steps = 2;
  options.sizes = {{37, 9, 5}, {3, 2, 1}};
  const auto difference =
      verify::verify_library(runtime::compile(plan, compiling, backend), options);
  EXPECT_FALSE(difference) << difference->text();
}

INSTANTIATE_TEST_SUITE_P(Of, SharedOfLaunch, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

TEST(SharedMemory, IsToldWhereADeviceHasLess) {
  paraiso_support::DeviceReport device;
  device.name = "Abacus 9000";
  paraiso_support::require_shared(device, "sweep", 1 << 30);  // it says nothing
  device.parts.block_shared_bytes = 64 * 1024;
  paraiso_support::require_shared(device, "sweep", 64 * 1024);
  try {
    paraiso_support::require_shared(device, "sweep", 96 * 1024);
    FAIL() << "nothing is wrong";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "a block of kernel `sweep` has 98.3 kB of shared memory, and device `Abacus 9000` "
                 "gives a block 65.5 kB: another schedule takes less (gene `shared`)");
  }
}

}  // namespace
}  // namespace paraiso
