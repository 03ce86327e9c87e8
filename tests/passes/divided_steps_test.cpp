// Fused steps on a divided grid: what a step stored is sent before the next one reads it.
#include <gtest/gtest.h>

#include "paraiso/om/interpret/interpret_divided.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/random_tree.hpp"

namespace paraiso::passes {
namespace {

using namespace om;

TEST(DividedSteps, HaveTheBitsOfSingleOnesOnTheWholeGrid) {
  int fused_programs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Machine machine = prepare(
        test::random_machine(rng, {.operations = 12, .reach = 2, .stencils = seed % 3 != 0}),
        Numbers::fma);
    if (!machine.step_kernel()) continue;
    try {
      const Fused fused = fuse_steps(machine, 2 + static_cast<int>(seed % 2), true);
      const Kernel& kernel = *fused.machine.find_kernel(fused.fusion.kernel);
      State whole =
          test::random_state(fused.machine, test::random_size(rng, machine.dimension, 120), rng);
      State divided = whole;
      interpret(fused.machine, kernel, whole);
      interpret_divided(fused.machine, kernel,
                        test::random_tree(rng, whole.size, 1 + rng.below(16)), divided);
      ASSERT_EQ(test::compare_states(fused.machine, whole, divided), "") << print(fused.machine);
      ++fused_programs;
    } catch (const CannotFuse&) {
    }
  }
  EXPECT_GT(fused_programs, 20);
}

}  // namespace
}  // namespace paraiso::passes
