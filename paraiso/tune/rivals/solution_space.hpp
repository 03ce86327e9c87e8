// SolutionSpace: how fast the recipes of the common list are in one running instance, and FAST's
// words for it: its optimal solutions and how far two instances share them.
// Gives: ListChampion, SolutionSpace, solution_spaces, order_by, optimal, overlap.
// Needs: database, features.
#pragma once

#include <span>

#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/predict/features.hpp"

namespace paraiso::tune {

/// What the contest says that ends the measurements: the recipe that beat the default, and its
/// speed over the default's.
struct ListChampion {
  std::optional<std::size_t> recipe;  // none: the default was not beaten
  double gain = 1;
};

struct SolutionSpace {
  std::string family;  // the solver: its variants and sizes are never predicted from each other
  std::string name;
  Features features;
  // Of each recipe, by its number: cell updates per second, 0 where it failed; and the cost model's
  // nanoseconds.
  std::vector<double> speed, model;
  std::string program = {};  // its hash
  std::int64_t cells = 0;
  std::string host = {};                      // its hardware
  std::optional<ListChampion> champion = {};  // none: no contest, or one that another recipe won

  [[nodiscard]] double best() const;
};

/// Those in which every listed recipe was measured, all cut to the shortest list; without that of
/// the problem `left_out`.
[[nodiscard]] std::vector<SolutionSpace> solution_spaces(Database& database,
                                                         std::int64_t left_out = 0);
/// Throws Error where all that was measured is described by another version.
[[nodiscard]] std::vector<SolutionSpace> solution_spaces(std::span<Database> databases);

/// Recipes by their values, the highest first; of equal ones the lower number.
[[nodiscard]] std::vector<std::size_t> order_by(const std::vector<double>& values);

/// The `count` best recipes, the best one first; of equal ones that of the lower number.
[[nodiscard]] std::vector<std::size_t> optimal(const SolutionSpace& space, std::size_t count);

/// The part that two sets of `count` best ones share: 0 to 1.
[[nodiscard]] double overlap(const SolutionSpace& one, const SolutionSpace& other,
                             std::size_t count);

}  // namespace paraiso::tune
