// all_known: what a small database knows of tuned problems. Gives: all_known, forget_places.
#pragma once

#include "paraiso/tune/predict/near/known_instances.hpp"

namespace paraiso::tune {

/// Of problems with a place 20 at most.
inline KnownInstances all_known(Database& database) { return nearest_known(database, {}, true); }

/// Of the problems 1 to `last`: as in databases from before there were any, so that all are read.
inline void forget_places(Database& database, std::int64_t last) {
  for (std::int64_t id = 1; id <= last; ++id) database.describe(id, *database.description(id));
}

}  // namespace paraiso::tune
