// Similar problems: results for a program elsewhere (another machine, compiler, size, precision, or
// an earlier version of the program) are starting points for a new tuning.
// Gives: difference, similar_schedules. Needs: database, champion, rating.
#pragma once

#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

/// The number of differences in program, numbers, element, backend, compiler, target, threads,
/// machine, generator, initial kernel, parameters and division among ranks, plus the distance of
/// the sizes.
[[nodiscard]] double difference(const TuningProblem& one, const TuningProblem& other);

/// For each of the most similar other problems of a machine of this name, its champion or else its
/// best individual; the most similar first. Genes have stable names, so a schedule remains
/// meaningful when gene tables differ.
[[nodiscard]] std::vector<plan::Schedule> similar_schedules(Database& database,
                                                            const TuningProblem& problem,
                                                            std::size_t count);

}  // namespace paraiso::tune
