// `tune --predict`: what is tried before a search, and what ends it.
// Gives: Foretold, foretell. Needs: tuning, tune.
#pragma once

#include "cli/tuning/tuning.hpp"
#include "paraiso/tune/fast/trying_list.hpp"

namespace paraiso::cli {

struct Foretold {
  tune::TryingList list;
  double enough = 0;  // times the default's speed, which end the search; 0: nothing does
};

/// What the database lets expect of the problem, which is described there, and says it in one line;
/// a database whose descriptions are damaged is a reason against predicting. Without `--predict`
/// nothing is expected.
[[nodiscard]] Foretold foretell(const TuneCall& call, const tune::TunedProgram& tuned,
                                tune::Database& database, std::int64_t problem);

}  // namespace paraiso::cli
