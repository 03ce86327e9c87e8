// What parts of a divided grid compute of others, counted by hand.
#include "paraiso/hardware/simulate/shell_work.hpp"

#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"

namespace paraiso::hardware {
namespace {

/// One operation at two neighbours of a cyclic axis, or between walls.
om::Machine spread(const char* sides) {
  return passes::prepare(om::parse(std::string(R"(paraiso 1
machine spread dimension 1

static a local f64
  boundary 0 )") + sides + R"(

kernel proceed step
  %0: local f64 = load a
  %1: local f64 = shift %0 (1)
  %2: local f64 = shift %0 (-1)
  %3: local f64 = add %1 %2
  store a %3
end

end machine
)",
                                   "spread"),
                         passes::Numbers::strict);
}

TEST(ShellWork, IsThatOfFusedSteps) {
  // On four of 32 cells each, three steps in a kernel: the first is needed two cells around a part,
  // the second one.
  const passes::Fused fused = passes::fuse(spread("cyclic cyclic"), 3);
  const om::Kernel& kernel = *fused.machine.find_kernel(fused.fusion.kernel);
  const om::Orthotree four = om::regular_division({128}, {4});
  EXPECT_EQ(shell_work(fused.machine, kernel, 1, four, {128}), (4.0 + 2.0 + 0.0) / (3 * 32));
  EXPECT_EQ(shell_work(fused.machine, kernel, 1, om::Orthotree(), {128}), 0);
  EXPECT_EQ(shell_work(fused.machine, *fused.machine.step_kernel(), 1, four, {128}), 0);
}

TEST(ShellWork, IsThatOfSingleStepsWithOneExchange) {
  // Each step is taken on a part and two cells around it, where the grid goes on.
  const om::Machine machine = spread("reflect + outflow");
  const om::Orthotree four = om::regular_division({128}, {4});
  EXPECT_EQ(shell_work(machine, *machine.step_kernel(), 3, four, {128}), (3 * 2 * 2) / 128.0);
  EXPECT_EQ(shell_work(machine, *machine.step_kernel(), 1, four, {128}), 0);
}

TEST(ShellWork, SidesThatReceive) {
  const om::Orthotree cyclic = om::Orthotree::warp(0, om::regular_division({8, 8}, {2, 1}));
  const auto boxes = cyclic.leaves({8, 8});
  EXPECT_EQ(received_sides(cyclic, {8, 8}, boxes[0]),
            (std::vector<std::array<bool, 2>>{{true, true}, {false, false}}));
  const om::Orthotree walls = om::regular_division({8, 8}, {1, 2});
  EXPECT_EQ(received_sides(walls, {8, 8}, walls.leaves({8, 8})[0]),
            (std::vector<std::array<bool, 2>>{{false, false}, {false, true}}));
}

}  // namespace
}  // namespace paraiso::hardware
