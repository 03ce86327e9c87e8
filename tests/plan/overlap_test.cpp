// Which kernels can compute while messages travel, and why others can't.
#include "paraiso/plan/cpu/overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/plan/plan_program.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

constexpr const char* kAverageOfTwo =
    "%0 = load f\n%1 = shift %0 (1, 0)\n%2 = shift %0 (0, -1)\n%3 = add %1 %2\nstore f %3\n";

std::string why(const om::Machine& machine, std::map<std::string, std::string> choices = {}) {
  const Plan plan = make_plan(machine, with(std::move(choices)));
  return why_blocking(machine, plan.kernels.back());
}

/// With sides along axis 0 that are made by a boundary kernel.
om::Machine with_sides(const std::string& kernel) {
  return passes::prepare(
      om::parse("paraiso 1\nmachine test dimension 2\nstatic f local f64\n"
                "  boundary 0 kernel edge kernel edge\n  boundary 1 cyclic cyclic\n"
                "boundary_kernel edge\n" +
                kernel + "end\nkernel proceed step\n" + kAverageOfTwo + "end\nend machine\n"),
      passes::Numbers::strict);
}

TEST(Overlap, IsPossibleWhereAGroupReadsNeighbours) {
  EXPECT_EQ(why(program(kAverageOfTwo, 2)), "");
  EXPECT_EQ(why(with_sides("%0 = load_index 0\n%1 = cast %0 f64\nresult %1\n")), "");
}

TEST(Overlap, HasNothingToHideWithoutNeighbours) {
  EXPECT_EQ(why(program("%0 = load f\n%1 = mul %0 %0\nstore g %1\n", 2)), "it reads no neighbours");
  EXPECT_EQ(why(program("%0 = load s\n%1 = mul %0 %0\nstore s %1\n", 2)), "it reads no neighbours");
}

TEST(Overlap, MustNotOverwriteWhatSidesAreMadeFrom) {
  EXPECT_EQ(why(with_sides("%0 = load f\nresult %0\n")), "boundary kernels read fields");
}

TEST(Overlap, NeedsAllSidesAtOnce) {
  EXPECT_EQ(why(passes::fuse(program(kAverageOfTwo, 2), 2).machine), "sides lie between its steps");
}

TEST(Overlap, NeedsTilesOfOneShape) {
  const auto cyclic = passes::prepare(
      om::parse(std::string("paraiso 1\nmachine test dimension 2\nstatic f local f64\n"
                            "  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n"
                            "kernel proceed step\n") +
                kAverageOfTwo + "end\nend machine\n"),
      passes::Numbers::strict);
  const om::Machine fused = passes::fuse(cyclic, 3).machine;
  std::map<std::string, std::string> choices;
  for (const Gene& gene : genes(fused)) {
    if (gene.name.ends_with("/form")) choices[gene.name] = "split";
    if (gene.name.ends_with(".storage") || gene.name.ends_with(".state"))
      choices[gene.name] = "rolling";
    if (gene.name.ends_with("/tile_y")) choices[gene.name] = "16";
  }
  EXPECT_EQ(why(fused, choices), "tiles of group 1 shrink and grow");
}

/// What `overlap` relies on: tiles may be computed in any order.
TEST(Overlap, OverwritesNoArrayInWhichItReadsNeighbours) {
  int overlapped = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const om::Machine machine = passes::prepare(test::random_machine(rng), passes::Numbers::fma);
    const Plan plan = make_plan(machine, random_schedule(machine, rng));
    for (const KernelPlan& kernel : plan.kernels) {
      if (!why_blocking(machine, kernel).empty()) continue;
      ++overlapped;
      const Group& group = first_group(kernel);
      for (const Stage& reader : group.stages)
        for (const Term& term : reader.expansion.terms) {
          const auto array = kernel.array_read(group, term);
          if (!array || std::ranges::all_of(term.offset, [](auto o) { return o == 0; })) continue;
          for (const Stage& writer : group.stages)
            for (const Output& output : writer.outputs)
              EXPECT_FALSE(output.array == *array) << seed;
        }
    }
  }
  EXPECT_GT(overlapped, 100);
}

}  // namespace
}  // namespace paraiso::plan
