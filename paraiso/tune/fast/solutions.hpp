// solutions_of: the best that is known of a tuned problem, in terms that other programs understand:
// FAST's optimal solution space. Gives: kSolutions, solutions_of. Needs: known_instances,
// common_recipes.
#pragma once

#include "paraiso/tune/predict/near/known_instances.hpp"

namespace paraiso::tune {

/// FAST's K: so many of the best of an instance count, and so many are tried.
inline constexpr std::size_t kSolutions = 25;

/// The recipes of its champion and of its fastest individuals, `count` at most, the best first;
/// only what is no slower than the default schedule was there, whose recipe may be among them. A
/// recipe of the common list is what the list says; of any other individual, all that it chooses.
[[nodiscard]] std::vector<Recipe> solutions_of(Database& database, const KnownInstance& known,
                                               std::size_t count);

}  // namespace paraiso::tune
