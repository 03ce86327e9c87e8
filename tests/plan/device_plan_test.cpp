// Plans for devices: whatever the schedule, what they keep fits into a block.
#include "paraiso/plan/device/device_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/device/device_repair.hpp"
#include "paraiso/plan/device/fused_sums.hpp"
#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/plan/device/thread/body_bound.hpp"
#include "paraiso/plan/loops/found_ghosts.hpp"
#include "paraiso/plan/schedule/random_schedule.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

om::Machine random_program(std::uint64_t seed) {
  Rng rng(seed);
  test::RandomMachineOptions options;
  options.stencils = rng.chance(0.5);
  return passes::prepare(test::random_machine(rng, options), passes::Numbers::fma);
}

template <class Check>
void for_random_plans(const Check& check) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const om::Machine machine = random_program(seed);
    Rng rng(seed);
    const auto genes = plan::genes(machine, device_options);
    check(device_plan(machine, random_schedule(genes, rng)));
  }
}

template <class Check>
void for_groups(const Plan& plan, const Check& check) {
  for (const KernelPlan& kernel : plan.kernels)
    for (const Group& group : kernel.groups) check(kernel, group);
}

TEST(DevicePlan, GroupsThatKeepNothingAreOneLoop) {
  int on_chip = 0;
  for_random_plans([&](const Plan& plan) {
    for_groups(plan, [&](const KernelPlan& kernel, const Group& group) {
      for (std::size_t s = 0; s < kernel.halo.size(); ++s)
        if (group.device.ghosts == GhostCells::found && may_be_found(plan.machine.statics[s]))
          EXPECT_TRUE(kernel.filled[s].is_core());
        else
          EXPECT_EQ(kernel.filled[s], kernel.halo[s]);
      EXPECT_NE(group.form, Form::split);
      EXPECT_LE(group.sweep.size(), 1u);
      on_chip += group.device.on_chip;
      if (group.device.on_chip) return;
      EXPECT_EQ(group.stages.size(), 1u);
      EXPECT_TRUE(group.buffers.empty());
    });
  });
  EXPECT_GT(on_chip, 10);
}

TEST(DevicePlan, WhatIsKeptFitsIntoABlock) {
  std::size_t most = 0;
  for_random_plans([&](const Plan& plan) {
    for_groups(plan, [&](const KernelPlan&, const Group& group) {
      if (!group.device.on_chip) return;
      const ThreadBlock block = block_of(group, plan.machine.dimension);
      int threads = 1;
      for (const int along : block.threads) threads *= along;
      EXPECT_LE(threads, kMostThreads);
      for (const int cells : block.tile) EXPECT_GT(cells, 0);
      most = std::max(most, shared_bytes(group, plan.machine.dimension));
      EXPECT_LE(shared_bytes(group, plan.machine.dimension), group.device.shared * 1024u);
    });
  });
  EXPECT_GT(most, 0u);
}

/// The loops of a sweep one after the other, turn by turn: whether all threads wait after that
/// loop of the first turn and before, or at, that loop so many turns later.
bool wait_between(const std::vector<bool>& waits, std::size_t first, std::size_t second,
                  std::size_t turns) {
  for (std::size_t at = first + 1; at <= second + turns * waits.size(); ++at)
    if (waits[at % waits.size()]) return true;
  return false;
}

/// Calls `visit(maker, reader, turns, planes)` for each read of another thread's column.
template <class Visit>
void for_crossings(const Group& group, Visit&& visit) {
  const auto plane = [&](const om::Offset& offset) {
    return group.sweep.empty() ? 0 : offset[group.sweep.front()];
  };
  for (std::size_t reader = 0; reader < group.stages.size(); ++reader)
    for (const Term& term : group.stages[reader].expansion.terms) {
      if (term.kind != Term::Kind::read_buffer) continue;
      om::Offset sideways = term.offset;
      if (!group.sweep.empty()) sideways[group.sweep.front()] = 0;
      if (sideways == om::Offset(sideways.size())) continue;
      for (std::size_t maker = 0; maker < group.stages.size(); ++maker)
        for (const BufferWrite& write : group.stages[maker].buffer_writes) {
          if (group.buffers[write.buffer].value != term.value) continue;
          EXPECT_TRUE(group.device.kept[write.buffer].shared);
          const int turns = plane(group.stages[maker].behind(write.root)) - plane(term.offset);
          ASSERT_GE(turns, 0);
          visit(maker, reader, static_cast<std::size_t>(turns),
                static_cast<std::size_t>(group.device.kept[write.buffer].planes));
        }
    }
}

/// Between a loop that writes shared memory and one that reads it in another column all threads
/// wait, and again before its plane of the ring is written anew. No wait is for nothing.
TEST(DevicePlan, ThreadsWaitForWhatOthersKeep) {
  int crossings = 0, needed = 0, once = 0, extra = 0;
  for_random_plans([&](const Plan& plan) {
    for_groups(plan, [&](const KernelPlan&, const Group& group) {
      std::vector<bool> waits = group.device.waits;
      extra += waits_between_turns(group) && !group.buffers.empty();
      const auto all_safe = [&] {
        bool safe = true;
        std::vector<bool> all = waits;
        if (waits_between_turns(group)) all[0] = true;
        for_crossings(group, [&](std::size_t maker, std::size_t reader, std::size_t turns,
                                 std::size_t planes) {
          safe = safe && wait_between(all, maker, reader, turns);
          if (!group.sweep.empty()) safe = safe && wait_between(all, reader, maker, planes - turns);
          ++crossings;
        });
        return safe;
      };
      EXPECT_TRUE(all_safe());
      once += std::ranges::count(waits, true) == 1;
      for (std::size_t s = 0; s < waits.size(); ++s) {
        if (!waits[s]) continue;
        ++needed;
        waits[s] = false;
        EXPECT_FALSE(all_safe());
        waits[s] = true;
      }
    });
  });
  EXPECT_GT(crossings, 50);
  EXPECT_GT(needed, 10);
  EXPECT_GT(once, 10);
  EXPECT_GT(extra, 3);
}

/// Neither by another thread, which may read another cell of it, or find a ghost cell's source in
/// it, nor by its own thread before.
TEST(DevicePlan, NoArrayIsOverwrittenThatOtherCellsRead) {
  for_random_plans([](const Plan& plan) {
    for_groups(plan, [](const KernelPlan& kernel, const Group& group) {
      for (const Stage& stage : group.stages)
        for (const Output& output : stage.outputs)
          for (const Stage& reader : group.stages)
            for (const Term& term : reader.expansion.terms)
              if (kernel.array_read(group, term) == output.array) {
                EXPECT_EQ(term.offset, stage.behind(output.root));
                if (output.array.front && finds_ghosts(kernel, *output.array.front)) {
                  EXPECT_TRUE(axes_beyond(group, reader, term.offset).empty());
                }
              }
    });
  });
}

TEST(DevicePlan, WhatNoBlockReducesLiesInAnArrayOfItsStage) {
  int reductions = 0, fused = 0;
  for_random_plans([&](const Plan& plan) {
    for_groups(plan, [&](const KernelPlan& kernel, const Group& group) {
      for (const Stage& stage : group.stages)
        for (const Reduction& reduction : stage.reductions) {
          if (is_fused(kernel.kernel->graph, group, reduction)) {
            EXPECT_FALSE(reduction.array);
            ++fused;
            continue;
          }
          ++reductions;
          ASSERT_TRUE(reduction.array);
          EXPECT_EQ(std::ranges::count(stage.outputs, *reduction.array, &Output::array), 1);
          if (!reduction.array->front) {
            EXPECT_LT(reduction.array->spare,
                      plan.spares.at(om::size_of(reduction.array->element)));
          }
        }
    });
  });
  EXPECT_GT(reductions, 10);
  EXPECT_GT(fused, 10);
}

TEST(DevicePlan, RegistersAreCountedWhileValuesAreLive) {
  const auto machine = random_program(1);
  const auto& graph = machine.kernels[0].graph;
  const om::ValueId value(0);
  const int each = om::size_of(graph.type(value).element) > 4 ? 2 : 1;
  const om::Offset here(machine.dimension, 0);
  const auto term = [&](std::vector<int> operands) {
    return Term{Term::Kind::compute, value, here, std::move(operands)};
  };
  // Two of them at a time, but at the end, where the root and both operands are.
  Expansion chain{{term({}), term({0}), term({1}), term({1, 2})}, {3}};
  EXPECT_EQ(live_registers(graph, chain), 3 * each);
}

/// What repair has stored it does not change again.
TEST(DevicePlan, RepairedSchedulesStay) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const om::Machine machine = random_program(seed);
    Rng rng(seed);
    const Plan plan = device_plan(machine, random_schedule(genes(machine, device_options), rng));
    EXPECT_EQ(device_plan(machine, plan.schedule).schedule, plan.schedule);
  }
}

}  // namespace
}  // namespace paraiso::plan
