#include "apps/life/life.hpp"

#include "backends.hpp"

namespace paraiso::apps {
namespace {

class Life : public OnBackends {
 protected:
  static InstancePointer game(const std::string& problem, const Size& size) {
    auto game = instance(life(), {2, om::Element::f64, problem}, size);
    game->run(problem);
    return game;
  }
};
PARAISO_ON_BACKENDS(Life);

/// The grid moved by `dx` and `dy` cells, cyclically.
std::vector<double> moved(const std::vector<double>& grid, const Size& size, std::int64_t dx,
                          std::int64_t dy) {
  std::vector<double> result(grid.size());
  for (std::int64_t y = 0; y < size[1]; ++y)
    for (std::int64_t x = 0; x < size[0]; ++x)
      result[(x + dx) % size[0] + (y + dy) % size[1] * size[0]] = grid[x + y * size[0]];
  return result;
}

/// Conway's rules, cell by cell.
std::vector<double> next(const std::vector<double>& grid, const Size& size) {
  std::vector<double> result(grid.size());
  for (std::int64_t y = 0; y < size[1]; ++y)
    for (std::int64_t x = 0; x < size[0]; ++x) {
      double count = -grid[x + y * size[0]];
      for (std::int64_t j : {y + size[1] - 1, y, y + 1})
        for (std::int64_t i : {x + size[0] - 1, x, x + 1})
          count += grid[i % size[0] + j % size[1] * size[0]];
      result[x + y * size[0]] = count == 3 || (count == 2 && grid[x + y * size[0]] == 1);
    }
  return result;
}

TEST_P(Life, glider_moves_by_one_cell_in_four_generations) {
  const Size size{9, 7};
  const auto game = this->game("glider", size);
  auto expected = cells(*game, "alive");
  for (int k = 0; k < 5; ++k) {
    run_steps(*game, 4);
    expected = moved(expected, size, 1, 1);
    EXPECT_EQ(cells(*game, "alive"), expected);
    EXPECT_EQ(game->scalar("population"), 5);
  }
  EXPECT_EQ(game->scalar("generation"), 20);
}

TEST_P(Life, glider_returns_to_itself) {
  const Size size = is_compiled() ? Size{80, 48} : Size{10, 8};
  const int tour = is_compiled() ? 960 : 160;  // 4 lcm(size)
  const auto game = this->game("glider", size);
  const auto begin = cells(*game, "alive");
  run_steps(*game, tour - 4);
  EXPECT_NE(cells(*game, "alive"), begin);
  run_steps(*game, 4);
  EXPECT_EQ(cells(*game, "alive"), begin);
}

TEST_P(Life, random_cells_follow_the_rules) {
  const Size size{31, 12};
  const auto game = this->game("random", size);
  auto expected = cells(*game, "alive");
  const double fraction = game->scalar("population") / static_cast<double>(expected.size());
  EXPECT_NEAR(fraction, 0.375, 0.075);  // three standard deviations
  for (int generation = 0; generation < 8; ++generation) {
    run_steps(*game, 1);
    expected = next(expected, size);
    EXPECT_EQ(cells(*game, "alive"), expected) << generation;
    double population = 0;
    for (double cell : expected) population += cell;
    EXPECT_EQ(game->scalar("population"), population);
  }
}

}  // namespace
}  // namespace paraiso::apps
