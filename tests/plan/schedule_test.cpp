// Schedules as text, and random changes of them.
#include "paraiso/plan/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <set>

#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "tests/plan/plan_program.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

TEST(Schedule, RoundTripsThroughItsText) {
  Rng rng(7);
  for (int i = 0; i < 50; ++i) {
    auto m = passes::prepare(test::random_machine(rng), passes::Numbers::fma);
    auto schedule = random_schedule(m, rng);
    EXPECT_EQ(parse(print(schedule, m), "s", m), schedule);
    EXPECT_EQ(repair(m, schedule), schedule);
  }
}

TEST(Schedule, VariesFromAFewGenesToMany) {
  Rng rng(8);
  const auto m = two_fluxes();
  const Schedule first = default_schedule(m);
  std::set<std::string> seen;
  int near = 0;
  for (int i = 0; i < 200; ++i) {
    const Schedule varied = vary(m, first, rng);
    EXPECT_EQ(repair(m, varied), varied);
    seen.insert(schedule_hash(varied));
    int changed = 0;
    for (const auto& [gene, allele] : varied.choices) changed += first.choices.at(gene) != allele;
    near += changed > 0 && changed <= 2;
  }
  EXPECT_GE(seen.size(), 80u);
  EXPECT_GE(near, 20);
}

TEST(Schedule, NamesWhatItDoesNotKnow) {
  auto m = program("%0 = load f\n%1 flux = mul %0 %0\nstore f %1\n");
  auto message = [&](const std::string& text) {
    try {
      (void)parse(text, "my.schedule", m);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(message("\nproceed/flix.storage = array\n"),
            "my.schedule:2: error: there is no gene `proceed/flix.storage`\n"
            "hint: did you mean `proceed/flux.storage`?");
  EXPECT_EQ(
      message("proceed/flux.storage = arry\n"),
      "my.schedule:1: error: gene `proceed/flux.storage` has no allele `arry`: it has inline, "
      "scratch, rolling, array, array_alone\nhint: did you mean `array`?");
  EXPECT_EQ(message("proceed/flux.storage: array\n"),
            "my.schedule:1: error: expected `gene = allele`");
  EXPECT_EQ(
      message("program = 0123456789abcdef\n"),
      "my.schedule:1: error: this schedule belongs to program `0123456789abcdef`, not to `test` "
      "(" +
          om::program_hash(m) + ")");
  // Of what is long, the beginning.
  const std::string lengthy(1 << 20, 'a'), told = "`" + lengthy.substr(0, 60) + "...`";
  EXPECT_TRUE(message("proceed/flux.storage = " + lengthy)
                  .ends_with("has no allele " + told +
                             ": it has inline, scratch, rolling, array, array_alone"));
  EXPECT_EQ(message(lengthy + " = array"), "my.schedule:1: error: there is no gene " + told);
  EXPECT_EQ(message("proceed/flux.storage = array\nproceed/flux.storage = array\n"),
            "my.schedule:2: error: gene `proceed/flux.storage` is given twice");
}

}  // namespace
}  // namespace paraiso::plan
