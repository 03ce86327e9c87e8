#include "paraiso/plan/cost/cost_model.hpp"

#include <gtest/gtest.h>

#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/cost/loop_cost.hpp"
#include "paraiso/plan/cost/tile_shape.hpp"
#include "paraiso/plan/cost/traffic.hpp"
#include "paraiso/plan/cpu/loop_words.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/support/limits.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/two_fields.hpp"

namespace paraiso::plan {
namespace {

om::Machine two_fields(const std::string& body, int dimension = 3) {
  return test::two_fields(dimension, body, "outflow outflow");
}

const std::string kStream = "%0 = load f\nstore g %0\n";
const std::string kLaplacian =
    "%0 = load f\n%1 = shift %0 (0, 0, 1)\n%2 = shift %0 (0, 0, -1)\n%3 = shift %0 (0, 1, 0)\n"
    "%4 = shift %0 (0, -1, 0)\n%5 = shift %0 (1, 0, 0)\n%6 = shift %0 (-1, 0, 0)\n"
    "%7 = add %1 %2\n%8 = add %3 %4\n%9 = add %5 %6\n%10 = add %7 %8\n%11 = add %9 %10\n"
    "store f %11\n";

/// A machine whose numbers are easy to reckon with: one thread, a vector operation a nanosecond.
MachineModel simple_machine() {
  return {.processor = "a simple machine",
          .threads = 1,
          .hertz = 1e9,
          .vector_bytes = 64,
          .registers = 32,
          .operations_per_second = 1e9,
          .divides_f64 = 1e9,
          .divides_f32 = 1e9,
          .roots_f64 = 1e9,
          .roots_f32 = 1e9,
          .caches = {{32e3, 64e9}, {1e6, 32e9}, {32e6, 16e9}},
          .last_level_bytes = 32e6,
          .memory_fetch = 8e9,
          .memory_all = 12e9,
          .parallel_region = 0,
          .miss_seconds = 0,
          .constants = {.window = 1e9}};
}

Prediction predicted(const om::Machine& machine, std::vector<std::int64_t> size,
                     const Schedule& schedule = {}, const MachineModel& model = simple_machine()) {
  const Plan plan = make_plan(machine, schedule);
  return predict(plan.machine, plan.kernels[0], {std::move(size), model});
}

double part(const Prediction& prediction, Limit limit) {
  return prediction.parts[static_cast<std::size_t>(limit)];
}

Traffic traffic(const om::Machine& machine, std::vector<std::int64_t> size, bool streaming,
                const std::map<std::string, std::string>& genes = {}) {
  const Plan plan = make_plan(machine, {genes});
  const Group& group = plan.kernels[0].groups[0];
  return group_traffic(plan.kernels[0], group, tile_shape(group, size, 1), 1e9, streaming,
                       simple_machine());
}

TEST(MachineModel, TheDocumentedOneIsWithinWhatIsBelieved) {
  const MachineModel& machine = documented_machine();
  for (const MachineField& field : machine_fields()) {
    EXPECT_GE(machine.*field.value, field.least) << field.name;
    EXPECT_LE(machine.*field.value, field.most) << field.name;
  }
  for (std::size_t level = 1; level < machine.caches.size(); ++level) {
    const CacheModel &near = machine.caches[level - 1], &far = machine.caches[level];
    EXPECT_LT(near.bytes, far.bytes);
    EXPECT_GT(near.bytes_per_second, far.bytes_per_second);
  }
}

/// Of the last level alone, whose neighbours are not known.
TEST(MachineModel, PlansCountOnAPartOfTheLastLevel) {
  const MachineModel machine = documented_machine(), planned = cautious(machine);
  EXPECT_LT(planned.caches[2].bytes, 0.5 * machine.caches[2].bytes);
  EXPECT_GT(planned.caches[2].bytes, machine.caches[1].bytes);
  EXPECT_EQ(planned.caches[1].bytes, machine.caches[1].bytes);
  EXPECT_EQ(planned.caches[2].bytes_per_second, machine.caches[2].bytes_per_second);
}

TEST(LoopCost, AFusedMultiplyAddTakesWhatTheMachineNeedsForIt) {
  const auto m = two_fields("%0 = load f\n%1 = madd %0 %0 %0\nstore f %1\n");
  const Plan plan = make_plan(m, {});
  const auto arithmetic = [&](double operations) {
    MachineModel machine = simple_machine();
    machine.fused_operations = operations;
    return loop_cost(plan.kernels[0].kernel->graph, plan.kernels[0].groups[0].stages[0], 1, machine)
        .arithmetic;
  };
  EXPECT_DOUBLE_EQ(arithmetic(1), 1e-9 / 8);
  EXPECT_DOUBLE_EQ(arithmetic(20), 20e-9 / 8);
}

TEST(LoopCost, LoadsTakeWhatTheFirstCacheGives) {
  const auto m = two_fields(kStream);
  const Plan plan = make_plan(m, {});
  MachineModel slow = simple_machine();
  slow.caches[0].bytes_per_second /= 2;
  const auto loads = [&](const MachineModel& machine) {
    return loop_cost(plan.kernels[0].kernel->graph, plan.kernels[0].groups[0].stages[0], 1, machine)
        .loads;
  };
  EXPECT_DOUBLE_EQ(loads(slow), 2 * loads(simple_machine()));
}

TEST(LoopCost, CountsInstructionsOfWholeVectors) {
  const auto m = two_fields("%0 = load f\n%1 = mul %0 %0\n%2 = add %1 %0\nstore f %2\n");
  const Plan plan = make_plan(m, {});
  const LoopCost cost = loop_cost(plan.kernels[0].kernel->graph,
                                  plan.kernels[0].groups[0].stages[0], 1, simple_machine());
  EXPECT_EQ(cost.step, 8);
  EXPECT_DOUBLE_EQ(cost.arithmetic, 2e-9 / 8);
  EXPECT_DOUBLE_EQ(cost.loads, 3e-9 / 8);  // one load, and a store, which takes two turns
  EXPECT_DOUBLE_EQ(cost.divider, 0);
}

TEST(LoopCost, LoadsAcrossTwoLinesCountTwice) {
  const auto at = [](const char* offset) {
    const auto m =
        two_fields("%0 = load f\n%1 = shift %0 " + std::string(offset) + "\nstore g %1\n");
    const Plan plan = make_plan(m, {});
    return loop_cost(plan.kernels[0].kernel->graph, plan.kernels[0].groups[0].stages[0], 1,
                     simple_machine())
        .loads;
  };
  EXPECT_DOUBLE_EQ(at("(0, 3, 1)"), 3e-9 / 8);
  EXPECT_DOUBLE_EQ(at("(1, 0, 0)"), 4e-9 / 8);
  EXPECT_DOUBLE_EQ(at("(8, 0, 0)"), 3e-9 / 8);
}

TEST(LoopCost, CountsTheRowsThatItReads) {
  const Plan plan = make_plan(two_fields(kLaplacian), {});
  const KernelPlan& kernel = plan.kernels[0];
  const auto rows = [&](const Stage& stage) {
    return loop_cost(kernel.kernel->graph, stage, 1, simple_machine()).rows;
  };
  EXPECT_EQ(rows(kernel.groups[0].stages[0]), 5);  // neighbours along x lie in the cell's own
}

/// A chain as long as the body: nothing overlaps within one vector, twice as much within two.
TEST(LoopCost, VectorsInStepHideTheWaitForEachOther) {
  std::string body = "%0 = load f\n";
  for (int i = 0; i < 20; ++i)
    body += "%" + std::to_string(i + 1) + " = add %" + std::to_string(i) + " %" +
            std::to_string(i) + "\n";
  const Plan plan = make_plan(two_fields(body + "store f %20\n"), {});
  const auto& stage = plan.kernels[0].groups[0].stages[0];
  MachineModel narrow = simple_machine();
  narrow.constants.window = 10;  // less than the body
  const auto waiting = [&](int vectors) {
    return loop_cost(plan.kernels[0].kernel->graph, stage, vectors, narrow).waiting;
  };
  EXPECT_GT(waiting(1), 20 * 3e-9 / 8);  // three cycles each
  EXPECT_DOUBLE_EQ(waiting(2), waiting(1) / 2);
}

TEST(TileShape, DividesTheGridAsTheGeneratedCodeDoes) {
  Group group;
  group.box = Extent(2);
  group.cpu.tile = {kWholeAxis, kPerThread};
  group.cpu.granule = 16;
  const TileShape shape = tile_shape(group, {100, 30}, 4);
  EXPECT_EQ(shape.tiles, 4);
  EXPECT_DOUBLE_EQ(shape.cells[0], 100);
  EXPECT_DOUBLE_EQ(shape.cells[1], 7.5);
  EXPECT_DOUBLE_EQ(shape.core_cells, 750);
  EXPECT_DOUBLE_EQ(shape.imbalance, 1);
  group.cpu.tile = {kWholeAxis, 10};
  EXPECT_DOUBLE_EQ(tile_shape(group, {100, 30}, 2).imbalance, 4.0 / 3);  // three tiles, two threads
}

TEST(Traffic, ACopyFetchesWhatItOverwritesUnlessItStreams) {
  const auto m = two_fields(kStream);
  const Traffic ordinary = traffic(m, {512, 512, 512}, false);
  EXPECT_DOUBLE_EQ(ordinary.fetched.back(), 16);
  EXPECT_DOUBLE_EQ(ordinary.written, 8);
  const Traffic streamed = traffic(m, {512, 512, 512}, true);
  EXPECT_DOUBLE_EQ(streamed.fetched.back(), 8);
  EXPECT_DOUBLE_EQ(streamed.written, 8);
}

/// Three planes of the old values must stay in a cache for each cell to be fetched once.
TEST(Traffic, PlanesThatDoNotFitAreFetchedAgain) {
  const auto m = two_fields(kLaplacian);
  const auto halo = [](double y, double z) { return 8 * ((y + 2) * (z + 2) / (y * z) - 1); };
  const Traffic small = traffic(m, {16, 16, 512}, true);
  EXPECT_NEAR(small.fetched[0], 8 + halo(16, 512), 0.1);  // 3 x 2 KB stay in the first cache
  const Traffic middle = traffic(m, {96, 96, 512}, true);
  EXPECT_NEAR(middle.fetched[0], 24 + halo(96, 512), 0.1);  // thrice from the second, 3 x 72 KB,
  EXPECT_NEAR(middle.fetched[1], 8 + halo(96, 512), 0.1);   // once from the third
  const Traffic large = traffic(m, {8192, 8192, 8}, true);
  EXPECT_NEAR(large.fetched[2], 24 + halo(8192, 8), 0.1);  // 3 x 512 MB stay nowhere
}

TEST(Traffic, NarrowTilesFetchTheirNeighboursRowsAgain) {
  const auto m = two_fields(kLaplacian);
  const auto memory = [&](const std::string& rows) {
    return traffic(m, {512, 512, 512}, true, {{"proceed/tile_y", rows}}).fetched.back();
  };
  const double whole_planes = 514.0 / 512;
  EXPECT_NEAR(memory("all"), 8 * 514.0 / 512 * whole_planes, 1e-9);
  EXPECT_NEAR(memory("32"), 8 * 34.0 / 32 * whole_planes, 1e-9);
  EXPECT_NEAR(memory("16"), 8 * 18.0 / 16 * whole_planes, 1e-9);
}

/// Hardware prefetchers run on where a piece of a row ends; what they fetch is of another tile.
TEST(Traffic, PiecesOfRowsAreFetchedBeyondTheirEnds) {
  const auto m = two_fields(kStream);
  const auto memory = [&](const std::string& cells) {
    return traffic(m, {512, 512, 512}, true, {{"proceed/tile_x", cells}}).fetched.back();
  };
  EXPECT_DOUBLE_EQ(memory("all"), 8);
  EXPECT_DOUBLE_EQ(memory("1024"), 8);
  EXPECT_DOUBLE_EQ(memory("256"), 8 + 512.0 / 256);
}

TEST(CostModel, ACopyOfLargeArraysIsBoundByMemory) {
  const Prediction prediction = predicted(two_fields(kStream), {512, 512, 512});
  EXPECT_EQ(prediction.bound(), "memory");
  // 24 bytes at 12 GB/s are as long as 16 at 8
  EXPECT_NEAR(part(prediction, Limit::memory), 2, 0.01);
  EXPECT_GE(prediction.nanoseconds, 2);
}

/// Of each tile the first rows come unasked, and as many beyond its last are asked for in vain.
TEST(CostModel, AskingAheadFetchesRowsTooManyOfEachTile) {
  const auto rows_too_many = [&](const std::string& body, const std::vector<std::int64_t>& size,
                                 std::map<std::string, std::string> genes) {
    const auto m = two_fields(body, static_cast<int>(size.size()));
    const auto memory = [&](const char* prefetch) {
      genes["proceed/prefetch"] = prefetch;
      return part(predicted(m, size, {genes}), Limit::memory);
    };
    const double more = memory("row") - memory("off");
    const Traffic moved = traffic(m, size, false, genes);
    return more * 8 / (moved.fetched.back() - moved.overwritten);  // at 8 bytes a nanosecond
  };
  EXPECT_NEAR(rows_too_many(kLaplacian, {512, 512, 512}, {{"proceed/tile_y", "16"}}), 1.0 / 16,
              1e-9);
  // Shorter rows are asked for farther ahead.
  EXPECT_NEAR(rows_too_many(kLaplacian, {128, 1024, 1024}, {{"proceed/tile_y", "16"}}), 3.0 / 16,
              1e-9);
  const std::string two_loops =
      "%0 = load f\n%1 a = sqrt %0\n%2 = shift %1 (1, 1)\n%3 = add %1 %2\nstore g %3\n";
  EXPECT_NEAR(rows_too_many(two_loops, {4096, 8192},
                            {{"proceed/a.storage", "rolling"}, {"proceed/tile_y", "32"}}),
              2.0 / 32, 1e-9);
}

/// As the generated code, which keeps to 64 MB of a larger cache, or where nothing is told.
TEST(CostModel, StreamsWhatTheLastLevelDoesNotHold) {
  const auto m = two_fields(kStream);  // two arrays
  const auto streams = [&](std::int64_t n, double last_level_bytes) {
    MachineModel model = simple_machine();
    model.last_level_bytes = last_level_bytes;
    const auto memory = [&](const char* streaming) {
      return part(predicted(m, {n, n, n}, {{{"proceed/streaming", streaming}}}, model),
                  Limit::memory);
    };
    return memory("large") < memory("off");
  };
  EXPECT_TRUE(streams(128, 33e6));  // 33.6 MB
  EXPECT_FALSE(streams(128, 34e6));
  EXPECT_FALSE(streams(128, 0));
  EXPECT_TRUE(streams(160, 300e6));  // 65.5 MB
  EXPECT_TRUE(streams(160, 0));
  EXPECT_FALSE(streams(160, 330e6));  // a fifth of it: 66 MB
}

TEST(CostModel, PartsOfAGridEvictEachOther) {
  const auto m = two_fields(kLaplacian);
  const Plan plan = make_plan(m, {});
  const auto memory = [&](std::vector<std::int64_t> size, double sharing) {
    return part(
        predict(plan.machine, plan.kernels[0], {std::move(size), simple_machine(), sharing}),
        Limit::memory);
  };
  EXPECT_EQ(memory({64, 64, 64}, 1), 0);  // in a third of the last cache
  EXPECT_GT(memory({64, 64, 64}, 8), 0);
  EXPECT_EQ(memory({512, 512, 512}, 8), memory({512, 512, 512}, 1));
}

TEST(CostModel, DividesAreBoundByTheDivider) {
  const auto m =
      two_fields("%0 = load f\n%1 = div %0 %0\n%2 = div %0 %1\n%3 = sqrt %2\nstore f %3\n");
  const Prediction prediction = predicted(m, {64, 64, 16});
  EXPECT_EQ(prediction.bound(), "divider");
  EXPECT_NEAR(part(prediction, Limit::divider), 3, 0.01);  // one lane a nanosecond
}

TEST(CostModel, LateLoadsLengthenChainsAndHideBesideOtherWork) {
  const auto part_that_is_waited_for = [](double window) {
    MachineModel near = simple_machine(), far = simple_machine();
    near.constants.window = far.constants.window = window;
    near.caches[1].bytes_per_second = 1e15;
    far.caches[1].bytes_per_second = 1e12;
    const auto m = two_fields(kLaplacian);
    const auto late = predicted(m, {128, 64, 64}, {}, far);
    return (late.nanoseconds - predicted(m, {128, 64, 64}, {}, near).nanoseconds) /
           part(late, Limit::l2);
  };
  EXPECT_NEAR(part_that_is_waited_for(1e9), 0.25, 0.01);  // all chains are under way at once
  EXPECT_GT(part_that_is_waited_for(1), 0.75);            // one after the other
}

TEST(CostModel, TransfersHideBehindEachOtherAsMuchAsTheConstantSays) {
  const auto m = two_fields(kStream);
  const auto at = [&](double exposed) {
    MachineModel machine = simple_machine();
    machine.constants.transfers_exposed = exposed;
    return predicted(m, {512, 512, 512}, {}, machine);
  };
  const Prediction hidden = at(0);
  const double rows = part(hidden, Limit::rows);
  EXPECT_DOUBLE_EQ(hidden.nanoseconds - rows, part(hidden, Limit::memory));
  const double transfers = part(hidden, Limit::l2) + part(hidden, Limit::l3);
  EXPECT_GT(at(1).nanoseconds, hidden.nanoseconds + transfers);
  EXPECT_DOUBLE_EQ(at(0.5).nanoseconds, (hidden.nanoseconds + at(1).nanoseconds) / 2);
}

/// The pointer to each is made anew for each row.
TEST(CostModel, RowsOfWhichMoreAreReadTakeLongerToStart) {
  const auto rows = [](const std::string& body) {
    return part(predicted(two_fields(body), {64, 64, 64}), Limit::rows);
  };
  const double of_one = rows(kStream);
  const double of_two = rows("%0 = load f\n%1 = shift %0 (0, 0, 1)\n%2 = add %0 %1\nstore g %2\n");
  EXPECT_GT(of_two, of_one);
  EXPECT_LT(of_two, of_one * 1.1);
}

TEST(CostModel, ThreadsShareWhatIsBoundByTheCore) {
  const auto m = two_fields("%0 = load f\n%1 = sqrt %0\n%2 = sqrt %1\nstore f %2\n");
  MachineModel two = simple_machine();
  two.threads = 2;
  EXPECT_NEAR(predicted(m, {64, 64, 16}, {}, two).nanoseconds,
              predicted(m, {64, 64, 16}).nanoseconds / 2, 0.02);
}

/// As the generated code decides it.
TEST(CostModel, OneThreadMakesWhatIsNotWorthTwo) {
  const auto m = two_fields("%0 = load f\n%1 = sqrt %0\n%2 = sqrt %1\nstore f %2\n");
  MachineModel one = simple_machine(), two = one;
  two.threads = 2;
  two.parallel_region = 1e-6;
  const Plan plan = make_plan(m, {});
  const double cell = predict_alone(plan.machine, plan.kernels[0]).nanoseconds;
  const auto planes = static_cast<std::int64_t>(paraiso_support::least_shared / cell / (16 * 16));
  EXPECT_DOUBLE_EQ(predicted(m, {16, 16, planes}, {}, two).nanoseconds,
                   predicted(m, {16, 16, planes}, {}, one).nanoseconds);
  const Prediction shared = predicted(m, {16, 16, planes + 1}, {}, two);
  EXPECT_DOUBLE_EQ(part(shared, Limit::threads),
                   1000.0 / (16 * 16 * static_cast<double>(planes + 1)));
  EXPECT_LT(shared.nanoseconds - part(shared, Limit::threads),
            0.6 * predicted(m, {16, 16, planes + 1}, {}, one).nanoseconds);
}

/// What small tiles recompute at their edges costs time.
TEST(CostModel, HalosOfTilesAreRecomputed) {
  const auto m = two_fields(
      "%0 = load f\n%1 a = sqrt %0\n%2 = shift %1 (0, 1, 0)\n%3 = shift %1 (0, -1, 0)\n"
      "%4 = add %2 %3\nstore f %4\n");
  const auto divider = [&](const char* rows) {
    return part(predicted(m, {64, 64, 64},
                          {{{"proceed/a.storage", "scratch"},
                            {"proceed/tile_z", "all"},
                            {"proceed/tile_y", rows}}}),
                Limit::divider);
  };
  EXPECT_DOUBLE_EQ(divider("4"), 6.0 / 4);
  EXPECT_DOUBLE_EQ(divider("16"), 18.0 / 16);
}

/// Buffers that do not fit into a cache cost what passes between it and the next.
TEST(CostModel, RollingLinesStayNearByAndArraysDoNot) {
  const auto m = two_fields(
      "%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (0, 0, 1)\n%3 = add %1 %2\nstore g %3\n");
  const std::vector<std::int64_t> size = {256, 256, 256};
  const auto rolling = predicted(m, size, {{{"proceed/a.storage", "rolling"}}});
  const auto array = predicted(m, size, {{{"proceed/a.storage", "array"}}});
  EXPECT_LT(part(rolling, Limit::memory), part(array, Limit::memory) * 0.6);
  EXPECT_LT(rolling.nanoseconds, array.nanoseconds);
}

TEST(CostModel, LimitsHaveTheirNames) {
  const auto m = two_fields(kStream);
  const Plan plan = make_plan(m, {});
  const LimitNames limits = predict(plan.machine, plan.kernels[0], large_grid(3)).limits;
  const auto limit = [&](Limit l) { return limits[static_cast<std::size_t>(l)]; };
  EXPECT_EQ(limits.size(), static_cast<std::size_t>(Limit::threads) + 1);
  EXPECT_STREQ(limit(Limit::arithmetic), "arithmetic");
  EXPECT_STREQ(limit(Limit::waiting), "waiting for results");
  EXPECT_STREQ(limit(Limit::l3), "L3");
  EXPECT_STREQ(limit(Limit::memory), "memory");
  EXPECT_STREQ(limit(Limit::threads), "starting threads");
}

/// What the plan knows is not predicted anew, and is the same.
TEST(CostModel, TakesThePlansForecast) {
  const auto m = two_fields(kStream);
  MachineModel machine = simple_machine();
  machine.threads = 2;
  for (const std::int64_t n : {4, 16, 64}) {
    Plan plan = plan_program(m, {});
    const Setting setting{{n, n, n}, machine};
    const double known = predict(m, plan.kernels[0], setting).nanoseconds;
    remove_forecast(plan);
    EXPECT_DOUBLE_EQ(predict(m, plan.kernels[0], setting).nanoseconds, known) << n;
  }
}

TEST(Describe, TellsThePredictedTimeAndItsParts) {
  const auto m = two_fields(kStream);
  const std::string text = describe(
      make_plan(m, {}), {.size = {512, 512, 512}, .machine = simple_machine()}, predict, cpu_loops);
  EXPECT_NE(text.find("times are predicted for 512x512x512 cells; 1 thread of a simple machine\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("kernel `proceed`\n  about 2.27 ns a cell: memory 2, "), std::string::npos)
      << text;
}

}  // namespace
}  // namespace paraiso::plan
