// Blocks with more shared memory than a kernel has unless its launch asks for it: the same bits,
// and what is said where the device has less.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"

namespace paraiso {
namespace {

/// Each value is the sum of the one before it in six cells around.
om::Machine chain(int length) {
  std::string text =
      "paraiso 1\nmachine chain dimension 3\nstatic u local f64\n"
      "  boundary 0 cyclic cyclic\n  boundary 1 outflow outflow\n  boundary 2 cyclic cyclic\n"
      "kernel ramp initial\n  %x = load_index 0\n  %u = cast %x f64\n  store u %u\nend\n"
      "kernel proceed step\n  %v0 = load u\n";
  for (int v = 0; v < length; ++v) {
    text += fmt::format("  %s{0}_0 = shift %v{0} (1, 0, 0)\n", v);
    int term = 0;
    for (const char* offset : {"-1, 0, 0", "0, 1, 0", "0, -1, 0", "0, 0, 1", "0, 0, -1"}) {
      text += fmt::format("  %n{0}_{1} = shift %v{0} ({2})\n", v, term, offset);
      text += fmt::format("  %s{0}_{1} = add %s{0}_{2} %n{0}_{2}\n", v, term + 1, term);
      ++term;
    }
    text += fmt::format("  %v{} v{} = neg %s{}_{}\n", v + 1, v + 1, v, term);
  }
  text += fmt::format("  store u %v{}\nend\nend machine\n", length);
  return passes::prepare(om::parse(text, "chain.om"), passes::Numbers::fma);
}

/// All that can be is kept on the chip, by blocks of 512 threads that sweep along z.
plan::Schedule roomy(const om::Machine& program, const runtime::Backend& backend) {
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(program, backend.options)) {
    if (std::ranges::find(gene.alleles, "rolling") != gene.alleles.end())
      schedule.choices[gene.name] = "rolling";
    for (const auto& [end, allele] : {std::pair("/block_x", "32"), std::pair("/block_y", "16"),
                                      std::pair("/sweep", "z"), std::pair("/shared", "224")})
      if (gene.name.ends_with(end)) schedule.choices[gene.name] = allele;
  }
  return schedule;
}

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
  const om::Machine program = chain(5);
  const plan::Plan plan = backend.make_plan(program, roomy(program, backend));
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

INSTANTIATE_TEST_SUITE_P(Of, SharedOfLaunch, testing::ValuesIn(kDeviceBackends),
                         [](const auto& info) { return std::string(info.param.name); });

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
