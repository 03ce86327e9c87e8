// describe_problem: what a tuned problem is like, for predictions for others.
// Gives: describe_problem, keep_description. Needs: tuned_program, features, recipe.
#pragma once

#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::tune {

/// `steps` are those of a run; 0: until a time.
[[nodiscard]] Description describe_problem(const TunedProgram& tuned, std::int64_t steps);

/// Writes it, and the program's text; and anew the descriptions of all problems that have no place:
/// by features of another version, where their programs' texts are known, or from before places.
void keep_description(Database& database, std::int64_t problem, const TunedProgram& tuned,
                      std::int64_t steps);

}  // namespace paraiso::tune
