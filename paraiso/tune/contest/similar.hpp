// Similar problems: what was found for a program elsewhere (another machine, compiler, size,
// precision, or an earlier version of the program) is where a new tuning may start.
// Gives: difference, similar_schedules. Needs: database, champion, rating.
#pragma once

#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

/// How many of program, numbers, element, backend, compiler, target, threads, machine, generator,
/// initial kernel and parameters differ, and how far apart the sizes are.
[[nodiscard]] double difference(const Problem& one, const Problem& other);

/// Of the most similar other problems of a machine of this name, the champion or else the best
/// individual; the most similar first. Genes have stable names, so that a schedule means something
/// where the gene tables differ.
[[nodiscard]] std::vector<plan::Schedule> similar_schedules(Database& database,
                                                            const Problem& problem,
                                                            std::size_t count);

}  // namespace paraiso::tune
