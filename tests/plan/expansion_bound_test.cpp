#include "paraiso/plan/make/expansion_bound.hpp"

#include <gtest/gtest.h>

#include "paraiso/base/error.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/choices/choices.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

void expect_bounded(const om::Machine& machine, const om::Kernel& kernel,
                    const KernelChoices& choices) {
  const auto bound = static_cast<std::size_t>(expansion_bound(kernel.graph, choices));
  const KernelOutputs outputs = find_outputs(kernel.graph, choices);
  for (const auto& members : outputs.groups)
    EXPECT_FALSE(find_traversal(machine, kernel, choices, outputs, members, bound).too_large);
}

void expect_bounded(const om::Machine& machine, Rng& rng) {
  for (int i = 0; i < 5; ++i) {
    const Schedule schedule = random_schedule(machine, rng);
    for (const om::Kernel& kernel : machine.kernels)
      expect_bounded(machine, kernel, choices_of(machine, kernel, kernel_genes(kernel), schedule));
  }
}

TEST(ExpansionBound, NoBodyOfARandomProgramIsLarger) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    expect_bounded(passes::prepare(test::random_machine(rng), passes::Numbers::fma), rng);
  }
}

TEST(ExpansionBound, NoBodyOfFusedStepsIsLarger) {
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const om::Machine machine =
        passes::prepare(test::random_machine(rng, {.elementary = false}), passes::Numbers::fma);
    if (!machine.step_kernel()) continue;
    std::optional<passes::Fused> fused;
    try {
      fused = passes::fuse(machine, 3);
    } catch (const passes::CannotFuse&) {
      continue;  // its steps can't be fused
    }
    expect_bounded(fused->machine, rng);
    ++count;
  }
  EXPECT_GE(count, 5);
}

/// Products of neighbours; of %3 also the cell itself.
TEST(ExpansionBound, IsExactInOneDimension) {
  const om::Machine machine = passes::prepare(
      om::parse("paraiso 1\nmachine m dimension 1\nstatic f local f64\n"
                "  boundary 0 cyclic cyclic\nkernel k step\n"
                "%0 = load f\n%1 = shift %0 (1)\n%2 = shift %0 (-1)\n%3 = mul %1 %2\n"
                "%4 = shift %3 (1)\n%5 = shift %3 (-1)\n%6 = mul %4 %5\n%7 = mul %6 %3\n"
                "store f %7\nend\nend machine\n",
                "m.om"),
      passes::Numbers::strict);
  const om::Kernel& kernel = machine.kernels[0];
  const auto bound = [&](const Schedule& schedule) {
    return expansion_bound(kernel.graph,
                           choices_of(machine, kernel, kernel_genes(kernel), schedule));
  };
  EXPECT_EQ(bound({}), 1 + 1 + 3 + 5);
  EXPECT_EQ(bound({{{"k/mul(f[-1],f[1]).storage", "array"}}}), 1 + 1 + 3 + 3);
}

}  // namespace
}  // namespace paraiso::plan
