// Planning and generating take time in proportion to the program, up to 10,000 instructions.
#include <gtest/gtest.h>

#include <ctime>

#include "paraiso/codegen/cpu/print/class_writer.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/codegen/cpu/lower/lower_group.hpp"
#include "paraiso/codegen/lower/make_module.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/support/large_machine.hpp"

namespace paraiso::codegen {
namespace {

/// The least of three runs, so that what else the machine does hardly counts.
template <class Work>
double processor_seconds(const Work& work) {
  double least = 1e9;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t start = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

class LinearTime : public testing::TestWithParam<int> {};

TEST_P(LinearTime, OfPlanningAndGenerating) {
  const auto seconds = [&](std::size_t instructions) {
    Rng rng(instructions);
    const auto program =
        passes::prepare(test::large_machine(rng, GetParam(), instructions), passes::Numbers::fma);
    return processor_seconds([&] {
      const auto schedule = plan::default_schedule(program);
      EXPECT_GT(generate_openmp(plan::plan_program(program, schedule)).at(1).text.size(),
                10 * instructions);
    });
  };
  const double large = seconds(10000);
  // Eight times the work, of which the larger does not fit into caches; a quadratic part of a sixth
  // would make it 17 times.
  EXPECT_LT(large, 16 * seconds(1250));
  RecordProperty("seconds", std::to_string(large));
}

/// Every result lies in an array, most in one that a group of its own makes.
om::Machine with_many_groups(om::Machine machine) {
  om::Graph& graph = machine.kernels[0].graph;
  for (std::size_t v = 0; v < graph.value_count(); ++v)
    if (graph.producer_as<om::Arith>(om::ValueId(v)))
      graph.annotate(om::ValueId(v), {om::Storing::manifest, {}});
  return machine;
}

TEST(ManyGroups, ArePlannedPredictedAndWrittenInLinearTime) {
  const auto seconds = [](std::size_t instructions) {
    Rng rng(instructions);
    const auto machine = with_many_groups(test::large_machine(rng, 2, instructions));
    const auto program = passes::prepare(machine, passes::Numbers::fma);
    return processor_seconds([&] {
      const auto plan = plan::plan_program(program, {{{"proceed/streaming", "large"}}});
      EXPECT_GT(plan::predict(program, plan.kernels[0], plan::large_grid(2)).nanoseconds, 0);
      EXPECT_GT(print_source(make_module(plan, "", lower_group)).size(), 10 * instructions);
    });
  };
  // Of the larger one not all fits into caches: 11 times alone, up to 14 beside other work. A
  // quadratic part of a quarter would make it 22 times.
  EXPECT_LT(seconds(10000), 18 * seconds(1250));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, LinearTime, testing::Values(1, 2, 3));

}  // namespace
}  // namespace paraiso::codegen
