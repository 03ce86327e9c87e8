// Storage that lies shifted: its genes, what a schedule keeps of them, and which arrays trade
// places.
#include <gtest/gtest.h>

#include "paraiso/base/error.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "tests/plan/plan_program.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::plan {
namespace {

om::Machine two_fields(int dimension = 1) {
  const std::string far = dimension == 1 ? "(1)" : "(1, 0)";
  return program("%0 = load f\n%1 = load g\n%2 = shift %0 " + far + "\n%3 = shift %1 " + far +
                     "\n%4 = add %2 %3\nstore f %4\n%5 = mul %2 %3\nstore g %5\n",
                 dimension);
}

TEST(Skew, HasAGeneForEachFieldAndAxis) {
  const auto table = skew_genes(two_fields(2));
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table[1], (Gene{"f.skew_y", {"0", "1", "2", "4", "8"}}));
  EXPECT_EQ(table[2].name, "g.skew_x");
}

TEST(Skew, IsSharedByFieldsThatTradePlaces) {
  const auto m = program(
      "%0 = load f\n%1 = load g\n%2 = shift %0 (1)\n%3 = sub %2 %1\nstore g %0\nstore f %3\n");
  const auto table = skew_genes(m);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0].name, "f.skew_x");
  EXPECT_EQ(skews_of(m, with({{"f.skew_x", "2"}})),
            (std::vector<om::Offset>{om::Offset{2}, om::Offset{2}, om::Offset{}}));
}

TEST(Skew, IsNoPartOfASchedulePrintedWithoutIt) {
  const auto m = two_fields();
  EXPECT_EQ(repair(m, with({{"g.skew_x", "0"}})), repair(m, with({})));
  EXPECT_EQ(repair(m, with({{"g.skew_x", "3"}})), repair(m, with({})));
  EXPECT_TRUE(make_plan(m, {}).skews.statics.empty());
}

TEST(Skew, StaysThroughScheduleFilesAndGenomes) {
  const auto m = two_fields();
  const Schedule shifted = repair(m, with({{"g.skew_x", "4"}, {"f.skew_x", "1"}}));
  EXPECT_EQ(shifted.choices.at("g.skew_x"), "4");
  EXPECT_EQ(parse(print(shifted, m), "a.schedule", m), shifted);
  EXPECT_NE(schedule_hash(shifted), schedule_hash(repair(m, {})));
  const auto table = with_skew_genes(m, genes(m));
  const std::string letters = letters_of(table, genome_of(table, shifted));
  EXPECT_TRUE(letters.ends_with("BD")) << letters;
  EXPECT_EQ(repair(m, schedule_of(table, genome_from(table, letters))), shifted);
}

TEST(Skew, ArraysTradePlacesOnlyWhereTheyLieAlike) {
  const auto m = two_fields();
  const Plan alike = make_plan(m, {});
  EXPECT_EQ(alike.spares.at(8), 2);  // both fields are read beside the cell
  const Plan plan = make_plan(m, with({{"g.skew_x", "2"}}));
  EXPECT_EQ(plan.skews.spares.at(8), (std::vector<om::Offset>{om::Offset{}, om::Offset{2}}));
  for (const Stage& stage : only(plan).groups[0].stages)
    for (const Output& output : stage.outputs)
      EXPECT_EQ(plan.skews.of(output.array), plan.skews.of(*output.target));
  for (const Swap& swap : only(plan).swaps)
    EXPECT_EQ(plan.skews.of(swap.with), plan.skews.of(swap.target));
}

/// Such stores need aligned rows.
TEST(Skew, AlongRowsForbidsStoresPastTheCaches) {
  const auto m = two_fields(2);
  const auto streams = [&](const char* gene) {
    const Plan plan = make_plan(m, with({{"proceed/streaming", "large"}, {gene, "1"}}));
    return only(plan).groups[0].cpu.streaming;
  };
  EXPECT_TRUE(streams("g.skew_y"));
  EXPECT_FALSE(streams("g.skew_x"));
}

TEST(Skew, IsRefusedByDevices) {
  try {
    (void)device_plan(two_fields(), with({{"g.skew_x", "2"}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.diagnostics()[0].message.c_str(),
                 "gene `g.skew_x` is for processors: on devices no storage lies shifted");
  }
}

}  // namespace
}  // namespace paraiso::plan
