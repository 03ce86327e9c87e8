// What other solvers let expect of a problem, beside what was measured there, and as a section.
#include "paraiso/tune/report/data/prediction_beside_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "paraiso/tune/predict/features.hpp"
#include "paraiso/tune/predict/near/place.hpp"
#include "paraiso/tune/predict/recipe.hpp"
#include "paraiso/tune/report/report.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/example_problem.hpp"
#include "tests/tune/page_reading.hpp"

namespace paraiso::tune {
namespace {

/// Speeds by genome, in millions.
using Speeds = std::vector<std::pair<std::string, double>>;

Features like_flops(double flops) {
  return {{{"algorithm.flop_density", flops}, {"input.cells", 1000}},
          {{"instance.backend", "openmp"}}};
}

class Beside : public testing::Test {
 protected:
  test::Folder folder_;
  Database database_{folder_ / "t.sqlite"};
  std::int64_t session_ = database_.add(TunerRun{"anneal", 1, "paraiso tune", "0.1.0", 1e9, ""});

  /// A problem of a solver whose cells take `flops`; the default is `A`.
  std::int64_t add(const std::string& solver, double flops, const Speeds& speeds) {
    TuningProblem problem = example_problem();
    problem.machine = solver;
    problem.genes = {{"proceed/vectors", {"1", "2", "4", "8"}}};
    const auto id = database_.add(problem);
    database_.describe(
        id, {features_json(like_flops(flops)).dump(), roles_json({{"vectors", true}}).dump()});
    std::vector<Individual> individuals;
    for (const auto& [genome, speed] : speeds) {
      Individual one;
      one.session = session_, one.genome = genome, one.method = "mutation";
      one.measurement = measured({speed * 1e6, speed * 1e6});
      individuals.push_back(one);
    }
    database_.import(id, individuals);
    return id;
  }

  void hold_contest(std::int64_t id, const std::string& best, double gain) {
    database_.record(id,
                     Contest{{best, gain * 1e8, 1, ""}, {"A", 1e8, 1, ""}, gain > 1, 0, 0, "", 0});
  }

  void list(std::int64_t id, const std::vector<std::string>& genomes) {
    std::vector<ListedRecipe> recipes;
    for (const std::string& genome : genomes)
      recipes.push_back({static_cast<int>(recipes.size()), genome, 1});
    database_.list(id, recipes);
  }

  /// A problem that was searched, two that are like it, one that is not, and another of its solver.
  std::int64_t voted() {
    const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}, {"C", 120}});
    hold_contest(asked, "B", 1.5);
    hold_contest(add("heat", 7, {{"A", 1}}), "C", 1.5);
    hold_contest(add("wave", 7, {{"A", 1}}), "B", 1.2);
    hold_contest(add("life", 7000, {{"A", 1}}), "D", 9);
    return asked;
  }

  PredictionBesideSearch beside(std::int64_t id) {
    return prediction_beside_search(database_, id, record(database_, id));
  }

  std::string page(std::int64_t id) {
    ReportRun run = read_run(database_, id, "t.sqlite");
    run.prediction = prediction_beside_search(database_, id, run.recording);
    return report({run});
  }
};

const BestSoFar& order(const PredictionBesideSearch& beside, const std::string& name) {
  for (const BestSoFar& one : beside.orders)
    if (one.name == name) return one;
  throw std::logic_error("no order " + name);
}

TEST_F(Beside, VotesAreThoseOfOtherSolversThatAreAlike) {
  const auto asked = voted();
  TuningProblem other = example_problem("256x256");
  other.genes = {{"proceed/vectors", {"1", "2", "4", "8"}}};
  const auto same_solver = database_.add(other);
  database_.describe(same_solver, *database_.description(asked));
  hold_contest(same_solver, "D", 5);
  const PredictionBesideSearch found = beside(asked);
  EXPECT_EQ(found.why_not, "");
  EXPECT_EQ(found.best, 150e6);
  EXPECT_EQ(found.untuned, 100e6);
  ASSERT_EQ(found.expected.size(), 2u);
  EXPECT_EQ(found.expected[0].from, std::vector<std::string>{"heat 512x512"});
  EXPECT_EQ(found.expected[0].likeness, 1);
  EXPECT_DOUBLE_EQ(found.expected[0].gain, std::sqrt(1.5));
  EXPECT_EQ(found.expected[0].score, 120e6);
  EXPECT_DOUBLE_EQ(found.expected[1].gain, std::sqrt(1.2));
  EXPECT_EQ(found.expected[1].score, 150e6);
  ASSERT_EQ(found.orders.size(), 2u);
  EXPECT_EQ(order(found, "votes").fractions, (std::vector<double>{0.8, 1}));
  EXPECT_EQ(order(found, "search").fractions, (std::vector<double>{100.0 / 150, 1, 1}));
}

TEST_F(Beside, AScheduleThatWasNotMeasuredAddsNothing) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}});
  hold_contest(asked, "B", 1.5);
  hold_contest(add("heat", 7, {}), "D", 2);
  hold_contest(add("wave", 7, {}), "B", 1.2);
  const PredictionBesideSearch found = beside(asked);
  EXPECT_EQ(found.expected.at(0).score, std::nullopt);
  EXPECT_EQ(order(found, "votes").fractions, (std::vector<double>{0, 1}));
}

/// Problems that are not like it, and many of its own solver, which can't be read.
TEST_F(Beside, TheClosestAloneAreRead) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}});
  hold_contest(asked, "B", 1.5);
  const auto damaged = [&](const std::string& solver, int i, float away) {
    TuningProblem other = example_problem(std::to_string(i));
    other.machine = solver;
    const auto id = database_.add(other);
    Place place = place_of(like_flops(7), false);
    for (float& number : place.numbers) number += away;
    database_.describe(id, {"{", "[]", place});
    hold_contest(id, "B", 5);
  };
  for (int i = 0; i < 30; ++i) damaged("life", i, 4), damaged("hydro", i, 0);
  for (const char* solver : {"heat", "wave", "mhd", "acoustic", "himeno"}) {
    const auto id = add(solver, 7, {});
    Description description = *database_.description(id);
    description.place = place_of(like_flops(7), false);
    database_.describe(id, description);
    hold_contest(id, "B", 1.5);
  }
  const PredictionBesideSearch found = beside(asked);
  EXPECT_EQ(found.why_not, "");
  EXPECT_EQ(found.expected.at(0).from.size(), 5u);
}

/// Three recipes of a list, in three solvers; the search has found a fourth schedule.
TEST_F(Beside, RivalsPutTheListInOrder) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}, {"C", 120}, {"D", 140}});
  list(asked, {"A", "B", "C"});
  for (const char* solver : {"heat", "wave"})
    list(add(solver, 7, {{"A", 100}, {"B", 110}, {"C", 130}}), {"A", "B", "C"});
  const PredictionBesideSearch found = beside(asked);
  EXPECT_EQ(found.why_not, "");
  EXPECT_EQ(found.recipes, 3u);
  EXPECT_TRUE(found.expected.empty());
  EXPECT_EQ(order(found, "default").fractions, (std::vector<double>{100.0 / 150, 1, 1}));
  EXPECT_EQ(order(found, "constant").fractions, (std::vector<double>{0.8, 1, 1}));
  for (const char* name : {"champions", "model", "neighbour", "fast", "ours", "predict"})
    EXPECT_EQ(order(found, name).fractions.size(), 3u) << name;
  EXPECT_EQ(order(found, "search").fractions, (std::vector<double>{100.0 / 150, 140.0 / 150}));
  EXPECT_TRUE(found.search_knew_list);
  EXPECT_EQ(found.orders.size(), 11u);
}

TEST_F(Beside, AListWithoutASearchHasNoCurveOfIt) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}});
  list(asked, {"A", "B"});
  for (const char* solver : {"heat", "wave"})
    list(add(solver, 7, {{"A", 1}, {"B", 2}}), {"A", "B"});
  const PredictionBesideSearch found = beside(asked);
  EXPECT_EQ(found.orders.size(), 10u);
  EXPECT_FALSE(found.search_knew_list);
  EXPECT_NE(page(asked).find("there is no search to compare"), std::string::npos);
}

TEST_F(Beside, OfOneOtherSolverNothingIsLearnt) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}});
  list(asked, {"A", "B"});
  list(add("heat", 7, {{"A", 1}, {"B", 2}}), {"A", "B"});
  EXPECT_EQ(beside(asked).why_not,
            "no problem of another solver that is like this one has a contest here");
}

TEST_F(Beside, SaysWhyThereIsNothing) {
  const auto asked = add("hydro", 7, {{"A", 100}});
  hold_contest(asked, "A", 1);
  EXPECT_EQ(beside(asked).why_not,
            "no problem of another solver that is like this one has a contest here");
  const Description sound = *database_.description(asked);
  for (const Description& spoilt : {Description{"{", sound.roles}, {sound.features, "[]"}}) {
    database_.describe(asked, spoilt);
    EXPECT_EQ(beside(asked).why_not, "the description of problem 1 is damaged");
  }
  database_.describe(asked, {R"({"version": 99})", "[]"});
  EXPECT_EQ(beside(asked).why_not,
            "this version has not described the problem: `paraiso tune` does that");
}

/// With too small a gain, the default is tried first.
TEST_F(Beside, WhatIsPredictedIsTriedFirst) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}});
  hold_contest(asked, "B", 1.5);
  hold_contest(add("heat", 7, {}), "B", 1.01);
  const PredictionBesideSearch found = beside(asked);
  EXPECT_TRUE(found.predicts_default());
  EXPECT_EQ(order(found, "votes").fractions, (std::vector<double>{100.0 / 150, 1}));
}

TEST_F(Beside, ProblemsThatAreCalledAlikeHaveAHash) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}});
  hold_contest(asked, "B", 1.5);
  const auto heat = add("heat", 7, {});
  hold_contest(heat, "B", 1.5);
  TuningProblem other = example_problem();
  other.machine = "heat", other.program_hash = "badcafe", other.genes = {{"k/vectors", {"1", "2"}}};
  const auto another = database_.add(other);
  database_.describe(another, *database_.description(heat));
  hold_contest(another, "B", 1.5);
  EXPECT_EQ(beside(asked).expected.at(0).from,
            (std::vector<std::string>{"heat 512x512 (c0ffee)", "heat 512x512 (badcaf)"}));
}

TEST_F(Beside, IsASectionOfTheReport) {
  const std::string text = page(voted());
  EXPECT_NE(text.find("Predicted is what was best for heat 512x512, 1.22 times as fast as the "
                      "default. Measured: 1.200 times as fast as the default, 0.800 as the "
                      "champion."),
            std::string::npos);
  EXPECT_EQ(table(text, "What the problems most alike let expect"),
            (Rows{{"heat 512x512", "1.00", "1.225", "120", "1.200", "0.800"},
                  {"wave 512x512", "1.00", "1.095", "150", "1.500", "1.000"}}));
  EXPECT_EQ(table(text, "Part of the best speed that is reached"),
            (Rows{{"votes", "0.800", "1.000", "1.000", "1.000"},
                  {"search", "0.667", "1.000", "1.000", "1.000"}}));
  EXPECT_EQ(curves(text, "Best so far, predicted and searched"),
            (std::set<std::string>{"votes", "search"}));
  EXPECT_NE(text.find("Left out: versions by size (no `--thresholds FILE` was given)."),
            std::string::npos);
}

TEST_F(Beside, TheDefaultMayBePredicted) {
  const auto asked = add("hydro", 7, {{"A", 100}, {"B", 150}});
  hold_contest(asked, "B", 1.5);
  hold_contest(add("heat", 7, {}), "A", 1);
  EXPECT_EQ(order(beside(asked), "votes").fractions, std::vector<double>{100.0 / 150});
  const std::string text = page(asked);
  EXPECT_NE(text.find("The default schedule is predicted: no other one is expected to be 1.2 "
                      "times as fast."),
            std::string::npos);
  EXPECT_EQ(table(text, "What the problems most alike let expect"),
            (Rows{{"heat 512x512 (here the default)", "1.00", "1.000", "100", "1.000", "0.667"}}));
}

}  // namespace
}  // namespace paraiso::tune
