// What the loops of a sweep ask for: of each array the row or plane that they come to next.
#include "paraiso/plan/coming_rows.hpp"

#include <gtest/gtest.h>

#include "paraiso/passes/passes.hpp"
#include "tests/support/two_fields.hpp"

namespace paraiso::plan {
namespace {

/// `f + (0, 2)`, of the last kernel's only group; of a spare array its number.
std::vector<std::string> coming(const om::Machine& machine, Schedule schedule) {
  const std::string kernel = machine.kernels.back().name;
  schedule.choices.try_emplace(kernel + "/prefetch", "row");
  const Plan plan = make_plan(machine, schedule);
  EXPECT_EQ(plan.kernels.back().groups.size(), 1u);
  std::vector<std::string> list;
  for (const ComingRow& row : coming_rows(plan.kernels.back(), plan.kernels.back().groups[0])) {
    const auto& front = row.array.front;
    std::string text = front ? machine.at(*front).name : std::to_string(row.array.spare);
    for (const auto offset : row.offset) text += " " + std::to_string(offset);
    list.push_back(text);
  }
  return list;
}

using List = std::vector<std::string>;

/// The loop that reads `a` beside its own cell runs a row after the one that makes it.
constexpr const char* kTwoLoops =
    "%0 = load f\n%1 = shift %0 (3, -1)\n%2 = load g\n%3 a = add %1 %2\n%4 = shift %3 (1, 1)\n"
    "%5 = shift %3 (-1, -1)\n%6 = add %4 %5\n%7 = add %6 %0\nstore g %7\n";

TEST(ComingRows, OfASweepAreTwoRowsAheadOfTheForemost) {
  const auto machine = test::two_fields(2, kTwoLoops);
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "rolling"}}}), (List{"f 0 3", "g 0 2"}));
}

TEST(ComingRows, AreNoneWhereNothingIsAskedForOrOneLoopIsAlone) {
  const auto machine = test::two_fields(2, kTwoLoops);
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "rolling"}, {"proceed/prefetch", "off"}}}),
            List());
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "scratch"}}}), List());
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "inline"}}}), List());
}

/// Of a split group also what it writes: two steps in the array of `f` and a spare one, the second
/// a plane behind the first. Both read a plane and a row ahead.
TEST(ComingRows, OfASplitGroupAreAPlaneAheadOfTheForemost) {
  const auto machine =
      passes::fuse(
          test::two_fields(3,
                           "%0 = load f\n%1 = shift %0 (1, 1, 1)\n%2 = shift %0 (0, -1, -1)\n"
                           "%3 next = add %1 %2\nstore f %3\n"),
          2)
          .machine;
  EXPECT_EQ(coming(machine, {{{"proceed_2/form", "split"},
                              {"proceed_2/next.storage", "rolling"},
                              {"proceed_2/tile_y", "16"}}}),
            (List{"0 0 1 1", "f 0 1 2"}));
}

}  // namespace
}  // namespace paraiso::plan
