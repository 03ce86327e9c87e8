// FAST's figures on spaces whose answers are known.
#include "paraiso/tune/rivals/tables/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "paraiso/base/error.hpp"
#include "paraiso/base/rng.hpp"
#include "tests/runtime/support.hpp"

namespace paraiso::tune {
namespace {

using Holds = PaperFigure::Holds;

constexpr std::size_t kRecipes = 20;

/// The speeds of a program with this flop density: recipe `density` is the best, others are slower
/// the further away they are.
SolutionSpace space(int density, double slope) {
  SolutionSpace made{
      "solver " + std::to_string(density),
      "solver",
      {{{"algorithm.flop_density", static_cast<double>(density)}, {"input.cells", 1000}},
       {{"algorithm.element", "f32"}}},
      {},
      std::vector<double>(kRecipes, 1)};
  for (std::size_t r = 0; r < kRecipes; ++r)
    made.speed.push_back(1 / (1 + slope * std::abs(static_cast<double>(r) - density)));
  return made;
}

std::vector<SolutionSpace> spaces(double slope, int count = 12) {
  std::vector<SolutionSpace> made;
  for (int density = 1; density <= count; ++density) made.push_back(space(density, slope));
  return made;
}

const PaperFigure& figure(const std::vector<PaperFigure>& figures, const std::string& name) {
  return *std::ranges::find(figures, name, &PaperFigure::name);
}

TEST(PaperFigures, HoldWhereAlikeProgramsHaveAlikeSolutions) {
  const auto figures = paper_figures(spaces(0.05));
  ASSERT_EQ(figures.size(), 5u);
  const PaperFigure& overlaps = figure(figures, "6");
  EXPECT_EQ(overlaps.holds, Holds::yes) << overlaps.seen;
  EXPECT_EQ(overlaps.rows.front(), (std::vector<double>{1, 0, 0.05}));  // each has its own best
  EXPECT_EQ(overlaps.rows.back(), (std::vector<double>{20, 1, 1}));
  EXPECT_EQ(figure(figures, "7").holds, Holds::unknown) << "a twentieth of 20 is the best itself";
  EXPECT_DOUBLE_EQ(figure(figures, "7").rows[0][1], 1);
  EXPECT_EQ(figure(figures, "8-flops").holds, Holds::yes) << figure(figures, "8-flops").seen;
  EXPECT_EQ(figure(figures, "8-size").holds, Holds::unknown);
  EXPECT_EQ(figure(figures, "8-size").seen, "0 pairs");
}

TEST(PaperFigures, FailWhereSolutionsAreChance) {
  Rng rng(4);
  auto drawn = spaces(0.05);
  for (SolutionSpace& one : drawn)
    for (double& speed : one.speed) speed = rng.unit();
  for (SolutionSpace& one : drawn) one.speed[0] = 0.01;
  const auto figures = paper_figures(drawn);
  for (const auto& row : figure(figures, "6").rows) EXPECT_NEAR(row[1], row[2], 0.15);
  // What is predicted is no better than chance.
  for (const auto& row : figure(figures, "1").rows) EXPECT_NEAR(row[1], row[2], 0.2);
}

TEST(PaperFigures, OneSolutionThatIsFarTheBestFailsTheSeventh) {
  auto steep = spaces(0.05);
  for (SolutionSpace& one : steep) one.speed.assign(2 * kRecipes, 0.5), one.model.resize(40, 1);
  EXPECT_EQ(figure(paper_figures(steep), "7").holds, Holds::yes);  // all are alike
  for (SolutionSpace& one : steep)
    for (std::size_t r = 0; r < 2 * kRecipes; ++r) one.speed[r] = r == 3 ? 1 : 0.5;
  const PaperFigure bounds = figure(paper_figures(steep), "7");
  EXPECT_EQ(bounds.holds, Holds::no);
  EXPECT_EQ(bounds.rows[1][1], 0.5);
  EXPECT_NE(bounds.seen.find("below 0.9 from 2 on"), std::string::npos) << bounds.seen;
}

TEST(PaperFigures, OfAShortListTheSixthIsUnknown) {
  auto brief = spaces(0.05);
  for (SolutionSpace& one : brief) one.speed.resize(6), one.model.resize(6);
  EXPECT_EQ(figure(paper_figures(brief), "6").holds, Holds::unknown) << "five are more than three";
}

TEST(PaperFigures, OfAFewProgramsAreUnknown) {
  for (const PaperFigure& one : paper_figures(spaces(0.05, 4)))
    EXPECT_EQ(one.holds, Holds::unknown) << one.name;
  EXPECT_THROW((void)paper_figures(spaces(0.05, 2)), Error);
  auto brief = spaces(0.05);
  for (SolutionSpace& one : brief) one.speed.resize(3), one.model.resize(3);
  EXPECT_EQ(test::error_text([&] { (void)paper_figures(brief); }),
            "error: the shortest list is of 3 recipes: figures need 4\n"
            "hint: `scripts/record-training.sh` measures longer ones");
}

/// Five programs and a kernel to learn from, over 260 recipes.
std::vector<SolutionSpace> programs(const std::function<double(std::size_t recipe)>& speed) {
  std::vector<SolutionSpace> made = spaces(0.05, 6);
  for (SolutionSpace& one : made) {
    one.speed.clear();
    for (std::size_t r = 0; r < 260; ++r) one.speed.push_back(speed(r));
    one.model.assign(260, 1);
  }
  made.back().family = "training";
  return made;
}

TEST(ProgramFigures, HoldWhereAllProgramsAreAlike) {
  const auto figures = program_figures(programs([](std::size_t recipe) {
    return recipe == 200 ? 1 : 0.5 - 0.001 * static_cast<double>(recipe);
  }));
  ASSERT_EQ(figures.size(), 5u);
  for (const char* name : {"10-one", "10-five", "11"})
    EXPECT_EQ(figure(figures, name).holds, Holds::yes) << name << figure(figures, name).seen;
  EXPECT_EQ(figure(figures, "10-one").rows[0][1], 1);
  const PaperFigure& tries = figure(figures, "11");
  EXPECT_EQ(tries.names.size(), 5u) << "those to learn from are not predicted for";
  // fast, ours, neighbour; model and default go through the list; drawn: the mean of 1 to 260.
  EXPECT_EQ(tries.rows[0], (std::vector<double>{1, 1, 1, 1, 201, 201, 130.5}));
  // One of 25 is good.
  EXPECT_EQ(figure(figures, "12").holds, Holds::no);
  EXPECT_EQ(figure(figures, "12").rows[0][1], 0.04);
  EXPECT_EQ(figure(figures, "13").rows[0][1], 2);
  EXPECT_EQ(figure(figures, "13").holds, Holds::unknown);
  EXPECT_EQ(csv(tries).substr(0, 64),
            "program,fast,ours,neighbour,model,default,drawn\nsolver,1,1,1,201");
}

TEST(ProgramFigures, FailWhereSolutionsAreChance) {
  Rng rng(5);
  const auto figures = program_figures(programs([&](std::size_t recipe) {
    return recipe == 0 ? 0.1 : 0.8 * rng.unit() + (rng.chance(0.01) ? 1 : 0);
  }));
  for (const char* name : {"10-one", "10-five", "11", "12"})
    EXPECT_EQ(figure(figures, name).holds, Holds::no) << name << figure(figures, name).seen;
  const auto& row = figure(figures, "10-one").rows.at(9);
  EXPECT_NEAR(row[1], row[3], 0.25) << "as drawn by chance";
}

TEST(ProgramFigures, OfShortListsAreUnknown) {
  for (const PaperFigure& one : program_figures(spaces(0.05)))
    if (one.name != "12") {
      EXPECT_EQ(one.holds, Holds::unknown) << one.name;
    }
}

TEST(PaperFigures, AreWrittenAsTables) {
  PaperFigure figure;
  figure.columns = {"solutions", "overlap"};
  figure.rows = {{1, 0.25}, {2, 1.0 / 3}};
  EXPECT_EQ(csv(figure), "solutions,overlap\n1,0.25\n2,0.333333\n");
}

}  // namespace
}  // namespace paraiso::tune
