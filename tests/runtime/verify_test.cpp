// verify_schedules itself: which grids it takes, how much it compares, and that it sees a
// difference.
#include "paraiso/verify/verify_backend.hpp"

#include <algorithm>

#include "machines.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/passes/steps/join_steps.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/verify/references.hpp"
#include "support.hpp"

namespace paraiso::runtime {

using namespace verify;
namespace {

using Sizes = std::vector<std::vector<std::int64_t>>;

bool occurs(const Sizes& sizes, std::size_t axis, std::int64_t cells) {
  return std::ranges::any_of(sizes, [&](const auto& size) { return size[axis] == cells; });
}

TEST(UsualSizes, HaveOneToSevenCellsAlongEachAxisInTwoTurns) {
  for (int dimension = 1; dimension <= 4; ++dimension) {
    Sizes both = usual_sizes(dimension, 0);
    const Sizes odd = usual_sizes(dimension, 1);
    EXPECT_EQ(both.size(), 6u);
    EXPECT_EQ(odd.size(), 6u);
    both.insert(both.end(), odd.begin(), odd.end());
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis)
      for (std::int64_t cells = 1; cells <= 7; ++cells)
        EXPECT_TRUE(occurs(both, axis, cells)) << dimension << " " << axis << " " << cells;
  }
}

TEST(UsualSizes, AreSmallInAnyDimension) {
  for (const int turn : {0, 1})
    for (const auto& size : usual_sizes(16, turn)) {
      EXPECT_LT(cell_count(size), 1e6);
      EXPECT_TRUE(std::ranges::any_of(size.begin() + 4, size.end(), [](auto n) { return n == 1; }));
      EXPECT_TRUE(std::ranges::any_of(size.begin() + 4, size.end(), [](auto n) { return n == 2; }));
    }
}

TEST(UsualSizes, TakeTurnsInTheTinyOnesOnly) {
  EXPECT_EQ(usual_sizes(1, 0), (Sizes{{1}, {2}, {7}, {3}, {33}, {543}}));
  EXPECT_EQ(usual_sizes(1, 1), (Sizes{{4}, {5}, {6}, {3}, {33}, {543}}));
  EXPECT_EQ(usual_sizes(2, 2), usual_sizes(2, 0));
  EXPECT_NE(usual_sizes(2, 3), usual_sizes(2, 0));
}

class VerifySchedules : public testing::Test {
 protected:
  VerifySchedules() {
    options.schedules = 1;
    options.compilers = {CompileOptions().compiler};
    options.first_optimization = options.optimization;
    options.fusion = fused.fusion;
    options.cache = PARAISO_BINARY_DIR "/test-cache";
  }
  const passes::Fused fused =
      passes::fuse_steps(passes::prepare(test::counter(), passes::Numbers::strict), 3);
  VerifyOptions options;
};

TEST_F(VerifySchedules, ComparesEveryCellAfterEveryKernel) {
  const auto report = verify_schedules(fused.machine, options);
  EXPECT_FALSE(report.difference);
  EXPECT_EQ(report.schedules, 1);
  EXPECT_EQ(report.libraries, 1);
  // `zero`, three steps, the kernel of three twice, a step, and that kernel again; without `zero`
  // from its shaken end and from a random state; on six grids, with one thread and with two, which
  // take turns.
  const int calls = 8 + 7 + 7;
  EXPECT_EQ(report.kernels, calls * 6 * 2);
  EXPECT_EQ(report.cells, calls * (1 + 2 + 7 + 4 + 5 + 6 + 2 * (3 + 33 + 543)));
}

/// It is told that the kernel of three steps has two.
TEST_F(VerifySchedules, TellsWhereAnswersPart) {
  options.fusion.steps = 2;
  options.sizes = {{4}};
  const auto report = verify_schedules(fused.machine, options);
  ASSERT_TRUE(report.difference);
  EXPECT_EQ(report.difference->text(),
            "`n` at cell 0 is 6 and the interpreter says 5\n"
            "after call 5 (`proceed_3`) from problem `zero`, size 4, g++ for " +
                default_target() + ", 1 thread, schedule 0 of seed 1");
  EXPECT_EQ(report.difference->schedule_text,
            plan::print(plan::default_schedule(fused.machine), fused.machine));
  EXPECT_EQ(report.schedules, 0);
}

TEST_F(VerifySchedules, RunsCodeOnRanks) {
  const om::Machine joined = passes::join_steps(fused.machine);
  options.sizes = {{7}};
  options.divide = [](const auto& size) { return om::even_division(size, 3); };
  const auto report = verify_schedules(joined, options);
  EXPECT_FALSE(report.difference);
  EXPECT_EQ(report.cells, (8 + 7 + 7) * 7 * 2);

  options.fusion.steps = 2;
  const auto wrong = verify_schedules(joined, options);
  ASSERT_TRUE(wrong.difference);
  EXPECT_NE(wrong.difference->text().find("size 7 on 3 ranks, g++"), std::string::npos);

  options.divide = [](const auto&) { return om::regular_division({8}, {8}); };
  EXPECT_THROW((void)verify_schedules(joined, options), Error) << "no ranks of seven cells";
}

}  // namespace
}  // namespace paraiso::runtime
