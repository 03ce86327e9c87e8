// The tuning problem of a call, and the database with its results.
// Gives: kWaitForTuner, database_path, all_genes, problem_of, problems_of. Needs: execution, tune.
#pragma once

#include <chrono>

#include "cli/execution.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::cli {

/// What only reads the database waits no longer than this for a tuner that is writing.
inline constexpr auto kWaitForTuner = std::chrono::seconds(2);

/// `--database FILE`; else $PARAISO_DATABASE; else `paraiso/tuning.sqlite` in $XDG_DATA_HOME or
/// ~/.local/share. Throws WrongCall if there is none of these.
[[nodiscard]] std::filesystem::path database_path(const std::string& asked);

/// Of the program; where ranks share the grid, with how they await messages; then by how much
/// storage is shifted, if it is or may be.
[[nodiscard]] std::vector<plan::Gene> all_genes(const Prepared& prepared);

/// Of the program, grid, division, compiler and threads of `prepared`.
[[nodiscard]] tune::TuningProblem problem_of(const Prepared& prepared, const Building& building);

/// The problems whose champion may run `prepared`, the best suited first: its own; then, if its
/// grid is divided, that of the whole grid with as many threads as a rank has. On processors each
/// is followed by that with shifted storage. The arguments outlive it.
[[nodiscard]] std::vector<MakeProblem> problems_of(const Prepared& prepared,
                                                   const Building& building);

}  // namespace paraiso::cli
