// FAST's figures on spaces whose answers are known.
#include "paraiso/tune/rivals/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/base/error.hpp"
#include "paraiso/base/rng.hpp"

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
  EXPECT_EQ(figure(figures, "7").holds, Holds::yes);
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
  for (SolutionSpace& one : steep) one.speed.assign(kRecipes, 0.5);
  EXPECT_EQ(figure(paper_figures(steep), "7").holds, Holds::yes);  // all are alike
  for (SolutionSpace& one : steep)
    for (std::size_t r = 0; r < kRecipes; ++r) one.speed[r] = r == 3 ? 1 : 0.5;
  const PaperFigure bounds = figure(paper_figures(steep), "7");
  EXPECT_EQ(bounds.rows[1][1], 0.5);
  EXPECT_NE(bounds.seen.find("below 0.9 from 2 on"), std::string::npos) << bounds.seen;
}

TEST(PaperFigures, OfAFewProgramsAreUnknown) {
  for (const PaperFigure& one : paper_figures(spaces(0.05, 4)))
    EXPECT_EQ(one.holds, Holds::unknown) << one.name;
  EXPECT_THROW((void)paper_figures(spaces(0.05, 2)), Error);
}

TEST(PaperFigures, AreWrittenAsTables) {
  PaperFigure figure;
  figure.columns = {"solutions", "overlap"};
  figure.rows = {{1, 0.25}, {2, 1.0 / 3}};
  EXPECT_EQ(csv(figure), "solutions,overlap\n1,0.25\n2,0.333333\n");
}

}  // namespace
}  // namespace paraiso::tune
