// KnownInstance: what a database knows of a tuned problem, so that another one can profit.
// Gives: KnownInstance, KnownInstances, known_instances, nearest_known, usable_for,
// why_none_compares. Needs: database, features, recipe, place.
#pragma once

#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/predict/features.hpp"
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

/// All problems with a contest and a description. Throws Error for a description that does not fit
/// its problem.
[[nodiscard]] KnownInstances known_instances(Database& database);

/// Those of them that are closest to these features, some more than are asked, and all whose place
/// is not known: as known_instances for `predict_schedule`, without reading all descriptions.
[[nodiscard]] KnownInstances nearest_known(Database& database, const Features& features,
                                           bool on_ranks);

/// Those that a prediction for ranks, or for a whole grid, may learn from. A rank computes its part
/// as if that were a whole grid, so ranks learn from all; but what was gained on ranks is also time
/// that they did not wait for messages.
[[nodiscard]] KnownInstances usable_for(KnownInstances known, bool on_ranks);

/// In words, where none of them can be compared with a program.
[[nodiscard]] std::string why_none_compares(const KnownInstances& known);

}  // namespace paraiso::tune
