// What the loops of a sweep ask for: of each array the row or plane that they come to next.
#include "paraiso/plan/cpu/prefetch_rows.hpp"

#include <gtest/gtest.h>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/two_fields.hpp"

namespace paraiso::plan {
namespace {

using List = std::vector<std::string>;

Plan prefetching(const om::Machine& machine, Schedule schedule) {
  const std::string kernel = machine.kernels.back().name;
  schedule.choices.try_emplace(kernel + "/prefetch", "row");
  Plan plan = make_plan(machine, schedule);
  EXPECT_EQ(plan.kernels.back().groups.size(), 1u);
  return plan;
}

/// `f + (0, 2)` is `f 0 2`; of a spare array its number.
std::string text(const om::Machine& machine, const PrefetchRow& row) {
  const auto& front = row.array.front;
  std::string text = front ? machine.at(*front).name : std::to_string(row.array.spare);
  for (const auto offset : row.offset) text += " " + std::to_string(offset);
  return text;
}

/// Of the last kernel's only group.
List coming(const om::Machine& machine, Schedule schedule) {
  const Plan plan = prefetching(machine, std::move(schedule));
  List list;
  for (const PrefetchRow& row : prefetch_rows(plan.kernels.back(), plan.kernels.back().groups[0]))
    list.push_back(text(machine, row));
  return list;
}

/// What each of its loops asks for: `f 0 2, 1 of 2` is the second half of a row.
List asked(const om::Machine& machine, Schedule schedule) {
  const Plan plan = prefetching(machine, std::move(schedule));
  List list;
  for (const auto& loop : prefetch_parts(plan.kernels.back(), plan.kernels.back().groups[0])) {
    list.emplace_back();
    for (const auto& [row, part, parts] : loop) {
      if (!list.back().empty()) list.back() += "; ";
      list.back() +=
          text(machine, row) + ", " + std::to_string(part) + " of " + std::to_string(parts);
    }
  }
  return list;
}

/// The loop that reads `a` beside its own cell runs a row after the one that makes it.
constexpr const char* kTwoLoops =
    "%0 = load f\n%1 = shift %0 (3, -1)\n%2 = load g\n%3 a = add %1 %2\n%4 = shift %3 (1, 1)\n"
    "%5 = shift %3 (-1, -1)\n%6 = add %4 %5\n%7 = add %6 %0\nstore g %7\n";

TEST(PrefetchRows, OfASweepAreTwoRowsAheadOfTheForemost) {
  const auto machine = test::two_fields(2, kTwoLoops);
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "rolling"}}}), (List{"f 0 3", "g 0 2"}));
}

TEST(PrefetchRows, AreNoneWhereNothingIsAskedForOrOneLoopIsAlone) {
  const auto machine = test::two_fields(2, kTwoLoops);
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "rolling"}, {"proceed/prefetch", "off"}}}),
            List());
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "scratch"}}}), List());
  EXPECT_EQ(coming(machine, {{{"proceed/a.storage", "inline"}}}), List());
}

TEST(PrefetchRows, OfASweepAreSharedAmongItsLoops) {
  EXPECT_EQ(asked(test::two_fields(2, kTwoLoops), {{{"proceed/a.storage", "rolling"}}}),
            (List{"f 0 3, 0 of 1", "g 0 2, 0 of 1"}));
  const auto one_array = test::two_fields(
      2,
      "%0 = load f\n%1 = shift %0 (3, -1)\n%2 a = add %1 %0\n%3 = shift %2 (1, 1)\n"
      "%4 = shift %2 (-1, -1)\n%5 = add %3 %4\nstore g %5\n");
  EXPECT_EQ(asked(one_array, {{{"proceed/a.storage", "rolling"}}}),
            (List{"f 0 3, 0 of 2", "f 0 3, 1 of 2"}));
}

/// Each step reads a plane and a row ahead. Arrays are those of `f` and a spare one; a step is a
/// plane behind the one before.
om::Machine fused(int steps) {
  return passes::fuse(
             test::two_fields(3,
                              "%0 = load f\n%1 = shift %0 (1, 1, 1)\n%2 = shift %0 (0, -1, -1)\n"
                              "%3 next = add %1 %2\nstore f %3\n"),
             steps)
      .machine;
}

/// Of a split group also what it writes.
TEST(PrefetchRows, OfASplitGroupAreAPlaneAheadOfTheForemost) {
  EXPECT_EQ(coming(fused(2), {{{"proceed_2/form", "split"},
                               {"proceed_2/next.storage", "rolling"},
                               {"proceed_2/tile_y", "16"}}}),
            (List{"0 0 1 1", "f 0 1 2"}));
}

TEST(PrefetchRows, OfASplitGroupOfFewLoopsAreThoseThatEachLoopReads) {
  EXPECT_EQ(asked(fused(3), {{{"proceed_3/form", "split"},
                              {"proceed_3/next.storage", "rolling"},
                              {"proceed_3/next_step1.storage", "rolling"},
                              {"proceed_3/tile_y", "16"}}}),
            (List{"f 0 1 2, 0 of 1", "0 0 1 1, 0 of 1", "f 0 1 0, 0 of 1"}));
}

}  // namespace
}  // namespace paraiso::plan
