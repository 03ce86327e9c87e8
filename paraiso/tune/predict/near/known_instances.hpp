// KnownInstance: what a database knows of a tuned problem, so that another one can profit.
// Gives: KnownInstance, KnownInstances, PlacesAway, Nearby, nearest_known, usable_for,
// why_none_compares. Needs: database, features, recipe, place.
#pragma once

#include <functional>

#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/predict/features.hpp"
#include "paraiso/tune/predict/near/place.hpp"
#include "paraiso/tune/predict/recipe.hpp"

namespace paraiso::tune {

struct KnownInstance {
  TuningProblem problem;
  Features features;
  Recipe best;          // the champion's; where there is none, the default schedule's
  double gain = 1;      // its speed over the default's, by the contest; 1 without a champion
  std::int64_t id = 0;  // of the problem in the database
  std::vector<Role> roles = {};  // of the problem's genes
};

struct KnownInstances {
  std::vector<KnownInstance> all;    // in the order of the problems
  std::size_t of_other_version = 0;  // whose features can't be compared with ours
};

/// How far places are, by their numbers, all being of the same axes.
using PlacesAway = std::function<float(std::span<const float>)>;

/// Which problems are wanted: the closest.
struct Nearby {
  std::function<PlacesAway(const PlaceAxes&)> away;
  bool on_ranks = false;                            // else whole grids alone
  std::function<bool(std::int64_t)> left_out = {};  // problems that are not wanted
};

/// Of the problems with a contest and a description the closest kNeighbours, some more that are
/// about as far, and all whose place is not known. Throws Error for a description that it reads and
/// that does not fit its problem.
[[nodiscard]] KnownInstances nearest_known(Database& database, const Nearby& wanted);
/// As far as features are from these.
[[nodiscard]] KnownInstances nearest_known(Database& database, const Features& features,
                                           bool on_ranks);

/// Those that a prediction for ranks, or for a whole grid, may learn from. A rank computes its part
/// as if that were a whole grid, so ranks learn from all; but what was gained on ranks is also time
/// that they did not wait for messages.
[[nodiscard]] KnownInstances usable_for(KnownInstances known, bool on_ranks);

/// In words, where none of them can be compared with a program.
[[nodiscard]] std::string why_none_compares(const KnownInstances& known);

}  // namespace paraiso::tune
