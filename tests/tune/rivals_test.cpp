#include "paraiso/tune/rivals/rivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "paraiso/base/error.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/rivals/common_recipes.hpp"
#include "paraiso/tune/rivals/held_out.hpp"
#include "paraiso/tune/rivals/regression.hpp"
#include "paraiso/tune/rivals/tables/overlap_fits.hpp"
#include "tests/support/cpu_plans.hpp"
#include "tests/tune/built_app.hpp"

namespace paraiso::tune {
namespace {

Features features(double kind, double noise = 1) {
  return {{{"algorithm.flop_density", kind}, {"input.cells", noise}},
          {{"algorithm.element", "f32"}}};
}

/// In which recipe `best` is twice as fast as any other.
SolutionSpace space(const std::string& family, double kind, std::size_t best,
                    std::size_t recipes = 100) {
  SolutionSpace made{family, family, features(kind), {}, {}};
  for (std::size_t r = 0; r < recipes; ++r) {
    made.speed.push_back(r == best ? 2 : 1 - 0.001 * static_cast<double>(r));
    made.model.push_back(1);
  }
  return made;
}

TEST(SolutionSpace, OverlapIsThePartThatIsShared) {
  SolutionSpace one = space("a", 1, 0, 6), other = space("b", 1, 0, 6);
  one.speed = {6, 5, 4, 3, 2, 1};
  other.speed = {1, 6, 5, 4, 3, 2};
  EXPECT_EQ(optimal(one, 2), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(overlap(one, other, 2), 0.5);
  EXPECT_EQ(overlap(other, one, 2), 0.5);
  EXPECT_EQ(overlap(one, other, 6), 1);
}

/// What is learnt from and what is predicted for, as the spaces' names.
std::vector<std::pair<std::string, std::string>> names_of(const std::vector<Split>& splits) {
  std::vector<std::pair<std::string, std::string>> names;
  const auto joined = [](const Spaces& spaces) {
    std::string text;
    for (const SolutionSpace* space : spaces) text += space->name;
    return text;
  };
  for (const Split& split : splits) names.emplace_back(joined(split.known), joined(split.asked));
  return names;
}

TEST(Splits, HoldOutSolversSizesOrMachines) {
  std::vector<SolutionSpace> spaces;
  for (const char* name : {"a", "b", "c", "d"}) spaces.push_back(space(name, 1, 0, 6));
  spaces[3].family = "a";
  for (SolutionSpace& one : spaces) one.cells = one.name == "a" ? 9 : 10, one.host = "x";
  spaces[1].host = "y";
  const Spaces all = pointers_to(spaces);
  using Names = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(names_of(splits_of(all, {})), (Names{{"bc", "ad"}, {"acd", "b"}, {"abd", "c"}}));
  EXPECT_EQ(names_of(splits_of(all, {{}, {}, HeldOutBy::size})),
            (Names{{"bcd", "a"}, {"a", "bcd"}}));
  EXPECT_EQ(names_of(splits_of(all, {{}, {}, HeldOutBy::machine})),
            (Names{{"b", "acd"}, {"acd", "b"}}));
  EXPECT_EQ(names_of(splits_of(all, {{"a"}, {}})), (Names{{"bc", "ad"}}));
}

TEST(Regression, FindsPlantedCoefficients) {
  Rng rng(3);
  std::vector<Features> instances;
  for (int i = 0; i < 12; ++i) instances.push_back(features(rng.unit(), rng.unit()));
  const auto planted = [](const Features& one, const Features& other) {
    const double x = one.numbers[0].second - other.numbers[0].second;
    return 0.5 + 0.2 * x - 0.3 * x * x + 0.1 * x * x * x;
  };
  std::vector<PairEquations::Pair> pairs;
  std::vector<double> overlaps;
  for (const Features& one : instances)
    for (const Features& other : instances) {
      if (&one == &other) continue;
      pairs.push_back({&one, &other});
      overlaps.push_back(planted(one, other));
    }
  const Regression found = PairEquations(pairs, Terms::signed_plain).fit(overlaps, 1e-9);
  for (int i = 0; i < 20; ++i) {
    const Features one = features(rng.unit(), rng.unit()), other = features(rng.unit(), rng.unit());
    EXPECT_NEAR(found(one, other), planted(one, other), 1e-4);
  }
}

TEST(Regression, OfRatiosIsSymmetric) {
  const Features a = features(1), b = features(20), c = features(300);
  const PairEquations equations({{&a, &b}, {&b, &c}, {&a, &c}}, Terms::size_of_ratios);
  const Regression found = equations.fit({0.5, 0.4, 0.1}, 0.01);
  EXPECT_DOUBLE_EQ(found(a, b), found(b, a));
  EXPECT_GT(found(a, b), found(a, c));
}

/// A program's genes and their roles.
struct Table {
  std::vector<plan::Gene> genes;
  std::vector<Role> roles;

  Table(const std::string& name, int dimension) {
    const auto machine = prepared(built_app(name, dimension));
    genes = plan::genes(*machine.step_kernel());
    roles = roles_of(*machine.step_kernel(), plan::cpu_options);
  }
  [[nodiscard]] Recipe recipe(int number) const { return common_recipe(number, genes, roles); }
};

/// What both know, of the options or of the storage of roles.
using Choices = std::map<std::string, std::string>;
std::set<std::string> known_to_both(const Table& one, const Table& other, bool options) {
  std::set<std::string> names;
  for (const Role& mine : one.roles)
    if (mine.is_option == options &&
        std::ranges::find(other.roles, mine.name, &Role::name) != other.roles.end())
      names.insert(mine.name);
  return names;
}
/// Equal for all `names`, whether they are chosen or not; returns how many are chosen.
int expect_equal(const std::set<std::string>& names, const Choices& one, const Choices& other) {
  const auto chosen = [](const Choices& choices, const std::string& name) {
    const auto found = choices.find(name);
    return found == choices.end() ? "" : found->second;
  };
  int count = 0;
  for (const std::string& name : names) {
    EXPECT_EQ(chosen(one, name), chosen(other, name)) << name;
    count += !chosen(one, name).empty();
  }
  return count;
}

TEST(CommonRecipes, BeginWithTheDefaultAndAreTheSameWhereverARoleIs) {
  const Table heat("heat", 2), hydro("hydro", 2);
  const auto options = known_to_both(heat, hydro, true), roles = known_to_both(heat, hydro, false);
  ASSERT_GE(options.size(), 8u);
  ASSERT_GE(roles.size(), 2u);
  EXPECT_EQ(heat.recipe(0), Recipe{});
  EXPECT_EQ(hydro.recipe(0), Recipe{});
  int of_options = 0, of_roles = 0;
  for (int number = 1; number <= 60; ++number) {
    SCOPED_TRACE(number);
    const Recipe one = heat.recipe(number), other = hydro.recipe(number);
    of_options += expect_equal(options, one.options, other.options);
    of_roles += expect_equal(roles, one.storage, other.storage);
  }
  // Half of the choices are made in the mean, half of 60 times each.
  EXPECT_GT(of_options, 20 * static_cast<int>(options.size()));
  EXPECT_GT(of_roles, 20 * static_cast<int>(roles.size()));
}

/// Databases know recipes by their numbers: another list would mean others by them.
TEST(CommonRecipes, AreThoseThatDatabasesKnow) {
  const Table heat("heat", 2);
  EXPECT_EQ(heat.recipe(7).options, (Choices{{"divides", "together"},
                                             {"form", "overlapped"},
                                             {"grouping", "joined"},
                                             {"jam", "4"},
                                             {"streaming", "large"},
                                             {"tile_x", "1024"},
                                             {"tile_y", "32"},
                                             {"vectors", "2"}}));
  EXPECT_EQ(heat.recipe(7).storage, (Choices{{"free 1 cheap", "rolling"},
                                             {"free 1 fair", "array"},
                                             {"free 1 fair result", "inline"}}));
}

const RivalStanding& of(const std::vector<RivalStanding>& standings, const std::string& name) {
  for (const RivalStanding& standing : standings)
    if (standing.name == name) return standing;
  throw std::logic_error("no rival " + name);
}

/// Two kinds of programs, each with a best recipe of its own. With one held out, six of its kind
/// are known, of which FAST takes five.
std::vector<SolutionSpace> seven_of_each_kind() {
  std::vector<SolutionSpace> spaces;
  for (int i = 0; i < 7; ++i) {
    spaces.push_back(space("few" + std::to_string(i), 2 + 0.1 * i, 70));
    spaces.push_back(space("many" + std::to_string(i), 200 + 10 * i, 90));
  }
  return spaces;
}

TEST(Rivals, ThatLookAtFeaturesFindWhatIsBestForThatKind) {
  const auto standings = compare_rivals(seven_of_each_kind(), rivals(), 20);
  ASSERT_EQ(standings.size(), rivals().size());
  EXPECT_DOUBLE_EQ(of(standings, "default").median[0], 0.5);
  EXPECT_DOUBLE_EQ(of(standings, "default").against_default, 1);
  for (const char* name : {"champions", "neighbour", "fast", "ours"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(of(standings, name).worst[0], 1);
    EXPECT_EQ(of(standings, name).most_tries, 1);
    EXPECT_EQ(of(standings, name).against_default, 2);
  }
  // Any order of 100 recipes has one of them at place 50.5 in the mean.
  EXPECT_NEAR(of(standings, "drawn").tries, 50.5, 15);
}

/// The speeds of what is predicted for are looked at by nobody: with others, each order is the
/// same.
TEST(Rivals, DoNotSeeWhatTheyPredict) {
  const auto spaces = seven_of_each_kind();
  SolutionSpace asked = space("asked", 3, 5), other = space("asked", 3, 6);
  Spaces known;
  for (const SolutionSpace& one : spaces) known.push_back(&one);
  for (const Rival& rival : rivals())
    EXPECT_EQ(rival.order(known, {&asked}, 1), rival.order(known, {&other}, 1)) << rival.name;
}

TEST(Rivals, KeepTheOrderOfTheSpaces) {
  std::vector<SolutionSpace> spaces = {space("c", 1, 1), space("a", 1, 1), space("b", 1, 1)};
  spaces[0].speed[0] = 0.5;  // of the default; the best is at 2
  const auto standings = compare_rivals(spaces, rivals(), 1);
  EXPECT_EQ(of(standings, "default").first_tries, (std::vector<double>{0.25, 0.5, 0.5}));
}

/// Two judges alike, of which each would tell what is best for the other.
TEST(Rivals, LearnNothingFromJudges) {
  const std::vector<SolutionSpace> spaces = {space("a", 1, 1), space("b", 1, 1), space("c", 2, 1),
                                             space("judge", 9, 7), space("other", 9, 7)};
  const auto in_turn = compare_rivals(spaces, rivals(), 1);
  const auto at_once = compare_rivals(spaces, rivals(), 1, {.judges = {"judge", "other"}});
  for (const char* name : {"champions", "neighbour"}) {
    EXPECT_EQ(of(in_turn, name).first_tries, (std::vector<double>(5, 1))) << name;
    EXPECT_EQ(of(at_once, name).first_tries, (std::vector<double>(2, 0.4995))) << name;
  }
  try {
    (void)compare_rivals(spaces, rivals(), 1, {.judges = {"judge", "d"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].message,
              "`d` is not among the solvers that were measured: a, b, c, judge, other");
  }
}

/// Spaces whose five best recipes begin at a place of their own: what two of them share is a
/// straight line down from 1 over how far these places are apart. `feature` tells the place.
std::vector<SolutionSpace> along_a_line(double (*feature)(int place)) {
  std::vector<SolutionSpace> spaces;
  for (int i = 0; i < 15; ++i) {
    const int place = i % 5;
    SolutionSpace& made = spaces.emplace_back(space("s" + std::to_string(i), 1, 0, 20));
    made.features.numbers = {{"algorithm.flop_density", feature(place)}};
    for (int r = 0; r < 20; ++r)
      made.speed[static_cast<std::size_t>(r)] = 100 - std::abs(r - place - 2);
  }
  return spaces;
}

double r2(const std::vector<OverlapFit>& fits, const std::string& name) {
  return std::ranges::find(fits, name, &OverlapFit::name)->r2;
}

TEST(OverlapFits, FindAPlantedShare) {
  const auto plain = overlap_fits(along_a_line([](int place) { return 100.0 + place; }));
  EXPECT_GT(r2(plain, "fast"), 0.8) << "which looks at differences";
  const auto ratios = overlap_fits(along_a_line([](int place) { return 1024 * std::exp2(place); }));
  EXPECT_GT(r2(ratios, "ours"), 0.8) << "which looks at ratios";
  EXPECT_GT(r2(ratios, "likeness"), 0.5);
  for (const auto& fits : {plain, ratios}) {
    EXPECT_LT(r2(fits, "constant"), 1e-9) << "the mean can't say more than itself";
    EXPECT_GT(r2(fits, "constant"), -0.2);
  }
}

/// Features that have nothing to do with what is best.
TEST(OverlapFits, FindNothingWhereNothingIs) {
  std::vector<SolutionSpace> spaces;
  Rng rng(5);
  for (int i = 0; i < 12; ++i) {
    spaces.push_back(space("s" + std::to_string(i), 1 + 100 * rng.unit(), 0, 20));
    for (double& speed : spaces.back().speed) speed = rng.unit();
  }
  for (const OverlapFit& fit : overlap_fits(spaces)) EXPECT_LT(fit.r2, 0.1) << fit.name;
}

/// `predict` takes the champion of those that are like it; not what gains little, nor what the cost
/// model calls much slower.
TEST(Rivals, PredictIsWhatRunTakes) {
  const Rival& predict = *std::ranges::find(rivals(), "predict", &Rival::name);
  SolutionSpace near = space("near", 2, 7, 10), other = near, asked = space("asked", 2.1, 3, 10);
  SolutionSpace unjudged = space("unjudged", 2.1, 5, 10);
  near.champion = other.champion = ListChampion{7, 2};
  const Spaces known{&near, &other, &unjudged};
  const auto first = [&] { return order_for(predict, known, asked).front(); };
  EXPECT_EQ(first(), 7u);
  asked.model[7] = 1.3;
  EXPECT_EQ(first(), 0u) << "the cost model objects";
  asked.model[7] = 1.2;
  near.champion->gain = other.champion->gain = 1.1;
  EXPECT_EQ(first(), 0u) << "too little a gain to be sure of";
  near.champion->gain = 1.5;
  EXPECT_EQ(first(), 7u) << "the mean of 50 % and 10 %";
  other.champion = ListChampion{};
  EXPECT_EQ(first(), 7u) << "50 % and nothing";
  near.champion->gain = 1.3;
  EXPECT_EQ(first(), 0u) << "30 % and nothing, whatever single measurements say";
  near.champion->gain = 2;
  asked.features = features(1e9, 1e9);
  EXPECT_EQ(first(), 0u) << "nobody is like it";
}

TEST(Rivals, SilentSolversTeachAndDoNotJudge) {
  const std::vector<SolutionSpace> spaces = {space("a", 1, 1), space("b", 1, 1), space("c", 2, 1)};
  const auto all = compare_rivals(spaces, rivals(), 1),
             two = compare_rivals(spaces, rivals(), 1, {.silent = {"c"}});
  EXPECT_EQ(of(all, "constant").first_tries, (std::vector<double>(3, 1)));
  EXPECT_EQ(of(two, "constant").first_tries, (std::vector<double>(2, 1)));
  const Spaces pointers = pointers_to(spaces);
  EXPECT_NE(list_hash(judges_of(pointers, {})), list_hash(judges_of(pointers, {.silent = {"c"}})));
}

/// Of eight programs that are 0 and eight that are 1 a median may be either. What is measured of a
/// program twice is no second witness.
TEST(MedianInterval, IsOverPrograms) {
  std::vector<double> values;
  std::vector<std::string> programs;
  for (int p = 0; p < 16; ++p)
    for (int size = 0; size < 10; ++size) {
      values.push_back(p % 2);
      programs.push_back(std::to_string(p));
    }
  const Interval wide = median_interval(values, programs);
  EXPECT_EQ(wide.low, 0);
  EXPECT_EQ(wide.high, 1);
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = v < 120;
  const Interval sure = median_interval(values, programs);
  EXPECT_EQ(sure.high, 1);
  EXPECT_EQ(sure.low, 1) << "three quarters of the programs";
}

TEST(Rivals, NeedThreeSolvers) {
  try {
    (void)compare_rivals({space("a", 1, 1), space("b", 1, 1)}, rivals(), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].message,
              "the list of recipes is measured for fewer than three solvers");
  }
}

}  // namespace
}  // namespace paraiso::tune
