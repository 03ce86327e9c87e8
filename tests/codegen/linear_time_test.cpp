// Planning and generating take time in proportion to the program, up to 10,000 instructions.
#include <gtest/gtest.h>

#include <ctime>

#include "paraiso/codegen/generate.hpp"
#include "paraiso/passes/passes.hpp"
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
      EXPECT_FALSE(generate_openmp(program, schedule).empty());
    });
  };
  // Eight times the work; a quadratic part of a tenth would make it 15 times.
  EXPECT_LT(seconds(10000), 13 * seconds(1250));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, LinearTime, testing::Values(1, 2, 3));

}  // namespace
}  // namespace paraiso::codegen
