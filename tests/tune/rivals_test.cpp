#include "paraiso/tune/rivals/rivals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "paraiso/base/error.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/rivals/common_recipes.hpp"
#include "paraiso/tune/rivals/regression.hpp"
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

TEST(Regression, FindsPlantedCoefficients) {
  Rng rng(3);
  std::vector<Features> instances;
  for (int i = 0; i < 12; ++i) instances.push_back(features(rng.unit(), rng.unit()));
  const auto planted = [](const Features& one, const Features& other) {
    const double x = one.numbers[0].second - other.numbers[0].second;
    return 0.5 + 0.2 * x - 0.3 * x * x + 0.1 * x * x * x;
  };
  std::vector<Regression::Pair> pairs;
  for (const Features& one : instances)
    for (const Features& other : instances)
      if (&one != &other) pairs.push_back({&one, &other, planted(one, other)});
  const Regression found(pairs, Terms::signed_plain, 1e-9);
  for (int i = 0; i < 20; ++i) {
    const Features one = features(rng.unit(), rng.unit()), other = features(rng.unit(), rng.unit());
    EXPECT_NEAR(found(one, other), planted(one, other), 1e-4);
  }
}

TEST(Regression, OfRatiosIsSymmetric) {
  const Features a = features(1), b = features(20), c = features(300);
  const Regression found({{&a, &b, 0.5}, {&b, &c, 0.4}, {&a, &c, 0.1}}, Terms::size_of_ratios,
                         0.01);
  EXPECT_DOUBLE_EQ(found(a, b), found(b, a));
  EXPECT_GT(found(a, b), found(a, c));
}

TEST(CommonRecipes, BeginWithTheDefaultAndAreTheSameWhereverARoleIs) {
  const auto machine = prepared(built_app("heat", 2));
  const om::Kernel& kernel = *machine.step_kernel();
  const auto genes = plan::genes(kernel);
  auto roles = roles_of(kernel, plan::cpu_options);
  EXPECT_EQ(common_recipe(0, genes, roles), Recipe{});
  const Recipe all = common_recipe(7, genes, roles);
  EXPECT_NE(all, Recipe{});
  const std::vector<plan::Gene> last = {genes.back()};
  const Recipe one = common_recipe(7, last, {roles.back()});
  EXPECT_TRUE(agree(all, one));
  EXPECT_EQ(all.storage.contains(roles.back().name), one.storage.contains(roles.back().name));
}

const RivalStanding& of(const std::vector<RivalStanding>& standings, const std::string& name) {
  for (const RivalStanding& standing : standings)
    if (standing.name == name) return standing;
  throw std::logic_error("no rival " + name);
}

/// Two kinds of programs, each with a best recipe of its own. With one held out, six of its kind
/// are known, of which FAST takes five.
std::vector<SolutionSpace> two_kinds() {
  std::vector<SolutionSpace> spaces;
  for (int i = 0; i < 7; ++i) {
    spaces.push_back(space("few" + std::to_string(i), 2 + 0.1 * i, 70));
    spaces.push_back(space("many" + std::to_string(i), 200 + 10 * i, 90));
  }
  return spaces;
}

TEST(Rivals, ThatLookAtFeaturesFindWhatIsBestForThatKind) {
  const auto standings = compare_rivals(two_kinds(), rivals(), 20);
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
  const auto spaces = two_kinds();
  SolutionSpace asked = space("asked", 3, 5), other = space("asked", 3, 6);
  Spaces known;
  for (const SolutionSpace& one : spaces) known.push_back(&one);
  for (const Rival& rival : rivals())
    EXPECT_EQ(rival.order(known, {&asked}, 1), rival.order(known, {&other}, 1)) << rival.name;
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
