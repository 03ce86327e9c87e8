#include "paraiso/plan/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::plan {
namespace {

om::Machine program(const std::string& body, int dimension = 1) {
  std::string text = "paraiso 1\nmachine test dimension " + std::to_string(dimension) + "\n";
  for (const char* name : {"f", "g"}) {
    text += std::string("static ") + name + " local f64\n";
    for (int a = 0; a < dimension; ++a)
      text += "  boundary " + std::to_string(a) + " outflow outflow\n";
  }
  text += "static s global f64\nkernel proceed step\n" + body + "end\nend machine\n";
  return passes::prepare(om::parse(text), passes::Numbers::strict);
}

Schedule with(std::map<std::string, std::string> choices) { return {std::move(choices)}; }

const KernelPlan& only(const Plan& plan) { return plan.kernels[0]; }

TEST(Plan, OneStageWhenNothingIsStored) {
  auto m = program("%0 = load f\n%1 = shift %0 (1)\n%2 = shift %0 (-1)\n%3 = add %1 %2\nstore g %3\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).groups.size(), 1u);
  EXPECT_EQ(only(plan).halo[0].text(), "[-1, N+1)");
  EXPECT_TRUE(only(plan).halo[1].is_core());
}

TEST(Plan, StoresInPlaceWhereOnlyTheCellItselfIsRead) {
  auto m = program("%0 = load f\n%1 = mul %0 %0\nstore f %1\n");
  auto plan = make_plan(m, {});
  EXPECT_TRUE(only(plan).swaps.empty());
  EXPECT_TRUE(plan.spares.empty());
}

TEST(Plan, SwapsWhereANeighbourIsRead) {
  auto m = program("%0 = load f\n%1 = shift %0 (1)\nstore f %1\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).swaps.size(), 1u);
  EXPECT_EQ(plan.spares.at(8), 1);
}

TEST(Plan, ExchangesTwoStatics) {
  auto m = program("%0 = load f\n%1 = load g\nstore f %1\nstore g %0\n");
  auto plan = make_plan(m, {});
  EXPECT_EQ(only(plan).groups.size(), 1u);
  EXPECT_TRUE(only(plan).swaps.empty());  // each cell is read before either is written
}

TEST(Plan, AStoredValueReadAtANeighbourRunsOneLevelBelowOnAWiderBox) {
  auto m = program("%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (-3)\n%3 = add %1 %2\nstore g %3\n");
  auto plan = make_plan(m, with({{"proceed/a.storage", "array"}}));
  ASSERT_EQ(only(plan).groups.size(), 2u);
  EXPECT_EQ(only(plan).groups[0].stages[0].box.text(), "[0, N+3)");
  EXPECT_EQ(only(plan).groups[1].stages[0].box.text(), "[0, N)");
}

TEST(Plan, ASumThatFeedsABroadcastEndsItsStage) {
  auto m = program("%0 = load f\n%1 = reduce sum %0\n%2 = broadcast %1\n%3 = div %0 %2\nstore f %3\n");
  auto plan = make_plan(m, {});
  ASSERT_EQ(only(plan).groups.size(), 2u);
  EXPECT_EQ(only(plan).groups[0].stages[0].reductions.size(), 1u);
}

TEST(Plan, ASumThatIsOnlyStoredIsFused) {
  auto m = program("%0 = load f\n%1 = mul %0 %0\n%2 = reduce sum %1\nstore s %2\nstore f %1\n");
  EXPECT_EQ(only(make_plan(m, {})).groups.size(), 1u);
}

TEST(Plan, SparesAreSharedByLiveness) {
  auto m = program(
      "%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (1)\n%3 b = mul %2 %2\n%4 = shift %3 (1)\n"
      "%5 c = mul %4 %4\n%6 = shift %5 (1)\n%7 d = mul %6 %6\n%8 = shift %7 (1)\nstore g %8\n");
  auto plan = make_plan(m, with({{"proceed/a.storage", "array"},
                                 {"proceed/b.storage", "array"},
                                 {"proceed/c.storage", "array"},
                                 {"proceed/d.storage", "array"}}));
  EXPECT_EQ(only(plan).groups.size(), 5u);
  EXPECT_EQ(plan.spares.at(8), 2);  // g itself is written in place
}

TEST(Plan, RefusesChainedSteps) {
  auto m = om::parse(
      "paraiso 1\nmachine test dimension 1\nstatic f local f64\n  boundary 0 cyclic cyclic\n"
      "kernel proceed step\n%0 = load f\nstore f %0\n%1 = load f @1\n%2 = neg %1\nstore f @1 %2\n"
      "end\nend machine\n",
      "two.om");
  try {
    (void)make_plan(m, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "two.om:8: error: kernel `proceed` loads `f` at step 1: chained steps run in the "
                 "interpreter only");
  }
}

/// Each product of three neighbours triples the work: 3^12 terms, were nothing stored.
TEST(Repair, BoundsAnExplosionOfRecomputation) {
  std::string body = "%0 = load f\n";
  for (int i = 0; i < 12; ++i) {
    auto v = [&](int k) { return "%" + std::to_string(4 * i + k); };
    std::string far = std::to_string(1 << (i % 9) | i);
    body += v(1) + " = shift " + v(0) + " (" + far + ", 0)\n";
    body += v(2) + " = shift " + v(0) + " (0, " + far + ")\n";
    body += v(3) + " = mul " + v(1) + " " + v(2) + "\n";
    body += v(4) + " = mul " + v(3) + " " + v(0) + "\n";
  }
  auto m = program(body + "store f %48\n", 2);
  auto repaired = repair(m, {});
  int stored = 0;
  for (const auto& [gene, allele] : repaired.choices) stored += allele == "array";
  EXPECT_GE(stored, 1);
  auto plan = make_plan(m, {});
  for (const auto& group : only(plan).groups)
    EXPECT_LE(group.stages[0].expansion.terms.size(), kLargestExpansion);
  EXPECT_EQ(repair(m, repaired), repaired);
}

TEST(Schedule, RoundTripsThroughItsText) {
  Rng rng(7);
  for (int i = 0; i < 50; ++i) {
    auto m = passes::prepare(test::random_machine(rng), passes::Numbers::fma);
    auto schedule = random_schedule(m, rng);
    EXPECT_EQ(parse(print(schedule, m), "s", m), schedule);
    EXPECT_EQ(repair(m, schedule), schedule);
  }
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
  EXPECT_EQ(message("proceed/flux.storage = arry\n"),
            "my.schedule:1: error: gene `proceed/flux.storage` has no allele `arry`: it has inline, "
            "array, array_alone\nhint: did you mean `array`?");
  EXPECT_EQ(message("proceed/flux.storage: array\n"),
            "my.schedule:1: error: expected `gene = allele`");
  EXPECT_EQ(message("program = 0123456789abcdef\n"),
            "my.schedule:1: error: this schedule belongs to program 0123456789abcdef, not to `test` "
            "(" + om::program_hash(m) + ")");
  EXPECT_EQ(message("proceed/flux.storage = array\nproceed/flux.storage = array\n"),
            "my.schedule:2: error: gene `proceed/flux.storage` is given twice");
}

/// No stage reads what a later stage makes; every read array is wide enough.
TEST(Plan, RandomPlansAreOrderedAndWideEnough) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    auto m = passes::prepare(test::random_machine(rng), passes::Numbers::fma);
    auto plan = make_plan(m, random_schedule(m, rng));
    for (const auto& kernel : plan.kernels) {
      std::map<om::ValueId, Extent> made;
      for (const auto& step : kernel.steps) {
        if (step.group < 0) continue;
        const Stage& stage = kernel.groups[step.group].stages[0];
        for (const auto& term : stage.expansion.terms) {
          if (term.kind != Term::Kind::read_array) continue;
          ASSERT_TRUE(made.contains(term.value)) << "seed " << seed;
          Extent grown = made.at(term.value);
          grown.include(stage.box, term.offset);
          EXPECT_EQ(grown, made.at(term.value)) << "seed " << seed;
        }
        for (const auto& output : stage.outputs) made.try_emplace(output.value, stage.box);
      }
    }
  }
}

TEST(DefaultPlanner, StoresTheMiddleOfADeepStencilChain) {
  std::string body = "%0 = load f\n";
  int last = 0;
  for (int i = 0; i < 6; ++i) {  // six smoothings, each of four neighbours and a square root
    auto v = [&](int k) { return "%" + std::to_string(last + k); };
    body += v(1) + " = shift " + v(0) + " (1, 0)\n" + v(2) + " = shift " + v(0) + " (-1, 0)\n";
    body += v(3) + " = shift " + v(0) + " (0, 1)\n" + v(4) + " = shift " + v(0) + " (0, -1)\n";
    body += v(5) + " = add " + v(1) + " " + v(2) + "\n" + v(6) + " = add " + v(3) + " " + v(4) + "\n";
    body += v(7) + " = add " + v(5) + " " + v(6) + "\n" + v(8) + " = sqrt " + v(7) + "\n";
    last += 8;
  }
  auto m = program(body + "store f %48\n", 2);
  auto plan = make_plan(m, default_schedule(m));
  EXPECT_GT(only(plan).groups.size(), 1u);
  EXPECT_LT(only(plan).groups.size(), 7u);
}

}  // namespace
}  // namespace paraiso::plan
