// known_features: the features of a problem in a database; where they are of another version of
// Paraiso, found out again from the program's text. Gives: known_features. Needs: database,
// features.
#pragma once

#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/predict/features.hpp"

namespace paraiso::tune {

/// None if they are of another version and can't be found out again. Throws Error or
/// Json::exception for a description or a text that is damaged.
[[nodiscard]] std::optional<Features> known_features(Database& database,
                                                     const TuningProblem& problem,
                                                     const Description& description);

}  // namespace paraiso::tune
